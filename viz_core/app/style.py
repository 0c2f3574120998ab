"""The look of the frame: compact enough that at 1280 × 720 the whole sidebar and the top of every figure can be seen at once."""

from __future__ import annotations

from viz_core.figures.palette import LIGHT

SIDEBAR_WIDTH = 300
"""In px."""

FOCUS = LIGHT.sequential[3]
"""At least 3:1 on the ground of either theme: what Streamlit draws over the page, such as a menu, does not know which it is."""

STYLE = (
    f"<style>:root {{ --focus: {FOCUS}; }}"
    + """
[data-testid=stMainBlockContainer] { padding: .5rem 1.6rem 3rem; max-width: 1560px; }
[data-testid=stMainBlockContainer] > [data-testid=stVerticalBlock] { gap: .5rem; }
[data-testid=stHeader] { height: 2.4rem; min-height: 0; background: transparent; pointer-events: none; }
[data-testid=stHeader] button, [data-testid=stHeader] a { pointer-events: auto; }
.katex-display { padding: .5rem 0; overflow-x: auto; overflow-y: hidden; }
h1 { padding: 0 !important; font-size: 1.8rem !important; line-height: 1.2 !important; }

h2 { padding: .5rem 0 !important; font-size: 1.35rem !important; line-height: 1.2 !important; }

/* Draw nothing: one gives names to what has none, the other hears which line of code is pressed. */
[data-testid=stLayoutWrapper]:has(> :is(.st-key-_access, .st-key-_lines)), .st-key-_access, .st-key-_lines { display: none; }

/* What is chosen: Streamlit's letters in its main colour are below 4.5:1 on its own tint of it. */
[role=radio][aria-checked=true] { color: inherit !important; }
[data-testid=stMultiSelect] [data-tag] { color: inherit; background: color-mix(in srgb, currentColor 12%, transparent); }
[data-testid=stCode] .token { color: inherit !important; }

/* Where the keyboard is: one frame for all that Streamlit draws; its own is a tint, or nothing. A field is framed as a whole. */
:focus-visible:not(input), :is(div, label):has(> input:focus-visible)
  { outline: 3px solid var(--focus) !important; outline-offset: 1px; }
[data-testid=stMain]:focus-visible { outline-offset: -3px; }
html[data-pointed] [data-testid=stMain]:focus-visible { outline: none !important; }
/* Streamlit's own frame cuts through the page. */
[data-testid=stMain]::before, [data-testid=stMain]::after { content: none !important; }
html[data-lecture] [data-testid=stMain]:focus-visible { outline: none !important; }

@media (prefers-reduced-motion: reduce) {
  *, ::before, ::after {
    transition-duration: 1ms !important; animation-duration: 1ms !important; scroll-behavior: auto !important;
  }
}

[data-testid=stElementContainer]:has(.viz-cold) { display: none; }
[class*=st-key-_controls] { row-gap: .4rem !important; }
:is(.st-key-_edited, .st-key-_snapshot) {
  padding: .3rem .8rem; border-radius: .5rem; border: 2px dashed currentColor; flex-wrap: nowrap !important;
}
:is(.st-key-_edited, .st-key-_snapshot) > :first-child { flex: 1 1 0 !important; min-width: 0; }
:is(.st-key-_edited, .st-key-_snapshot) button { min-height: 0; padding: .1rem .7rem; white-space: nowrap; }
[data-testid=stAlertContainer] { padding: .5rem .9rem; min-height: 0; }

/* Title on the left, the remote on the right; room for the menu at the very edge. */
.st-key-_head { padding-right: 1.6rem; }

/* The sidebar: links close together, a control on one line with its name. */
[data-testid=stSidebarHeader] { position: absolute; right: 0; height: 2.4rem; padding: 0 .4rem; z-index: 2; }
[data-testid=stSidebarContent] { padding: 0 .3rem; }
[data-testid=stSidebarNav] { padding-top: .5rem; }
[data-testid=stSidebarNav] ul { max-height: none; padding: 0 .5rem; gap: 0; }
/* As many links of a section in a line as there is room for. */
[data-testid=stSidebarNavItems] > div { padding: 0; margin: 0; display: flex; flex-wrap: wrap; }
[data-testid=stSidebarNavItems] > div > header { flex: 1 0 100%; }
[data-testid=stSidebarNav] li { margin: 0; }
[data-testid=stSidebarNavLink] { padding: 0 .45rem; gap: .3rem; margin: 0; min-height: 0; height: 1.42rem; line-height: 1.42rem; }
[data-testid=stSidebarNavLink] p { font-size: .94rem; white-space: nowrap; }
[data-testid=stNavSectionHeader] { padding: .15rem .5rem 0; margin: 0; min-height: 0; height: 1.35rem; }
[data-testid=stNavSectionHeader] p { font-size: .8rem; }
[data-testid=stSidebarNavSeparator] { margin: .4rem 1rem 0; padding: 0; }
[data-testid=stSidebarUserContent] { padding: .3rem 1rem .8rem; }
[data-testid=stSidebarUserContent] [data-testid=stVerticalBlock] { gap: .3rem; }
[data-testid=stSidebarUserContent] [data-testid=stWidgetLabel] { min-height: 0; margin-bottom: .1rem; }
[data-testid=stSidebarUserContent] .st-key-step > div, [data-testid=stSidebarUserContent] .st-key-model > div,
[data-testid=stSidebarUserContent] .st-key-layer > div, [data-testid=stSidebarUserContent] .st-key-head > div
  { display: grid; grid-template-columns: 3.4rem minmax(0, 1fr); column-gap: .3rem; align-items: center; width: 100%; }
[data-testid=stSidebarUserContent] .st-key-layer, [data-testid=stSidebarUserContent] .st-key-head { width: 100%; }
[data-testid=stSidebarUserContent] [role=radiogroup] { width: 100%; flex-wrap: nowrap; }
[data-testid=stSidebarUserContent] [role=radiogroup] > * { flex: 1 1 0; min-width: 0; padding: 0; justify-content: center; }
[data-testid=stSidebarUserContent] [role=radiogroup] button { width: 100%; min-width: 0; padding: 0; }
[data-testid=stSidebarUserContent] [data-testid=stTextInputRootElement],
[data-testid=stSidebarUserContent] [data-testid=stNumberInputContainer],
[data-testid=stSidebarUserContent] .react-aria-ComboBox > div { height: 2.1rem; min-height: 0; }
[data-testid=stSidebarUserContent] input { padding: 0 .5rem; height: 2rem; }
</style>"""
)
