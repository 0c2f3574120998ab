// The rail: the numbered tour of all pages at the left of the window, with the languages at its foot. The browser remembers the chosen
// language; `lang` on the document gives Chinese text Chinese rather than Japanese glyphs and a Chinese voice. In a small window the
// open rail covers the page.

import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { Button, Group, flag, keys } from "../../web/src/ui/elements";
import { loadTexts, textsIn } from "../../web/src/texts";
import { part, useView } from "../../web/src/ui/part";
import type { Store, Theme } from "../../web/src/ui/store";
import { early } from "../kit/payload";

const texts = textsIn("app.frame.rail");
const YEAR = 31_536_000; // s

interface Entry {
  name: string;
  href: string;
  label: string; // a short name for the rail
  title: string;
  icon: string; // of Material Symbols, which come with Streamlit
}

interface Data {
  sections: [name: string, pages: Entry[]][];
  here: string; // name of the current page
  languages: [code: string, name: string][];
  language: string;
  theme: Theme;
}

function Rail({ sections, here, languages, language }: Data) {
  const { store } = useView();
  const [isOpen, open] = useState(false);
  useLayoutEffect(() => {
    document.documentElement.lang = language;
    loadTexts(language).then(store.repaint); // it may be another than expected
  }, [language]);
  useEffect(() => open(false), [here]);
  const close = ({ key }: KeyboardEvent) => key === "Escape" && open(false);
  return (
    <>
      <Button class="skip" act={skip} children={texts.skip} />
      <Button
        class="opens"
        aria-expanded={isOpen}
        aria-label={isOpen ? texts.close_rail : texts.open_rail}
        act={() => open(!isOpen)}
        onKeyDown={keys(close)}>
        {isOpen ? "✕" : "☰"}
      </Button>
      <nav aria-label={texts.pages} data-open={flag(isOpen)} onKeyDown={keys(close)}>
        {sections.map(([section, pages]) => (
          <ul key={section} aria-label={section || undefined}>
            {pages.map(({ name, href, label, title, icon }) => (
              <li key={name}>
                <a
                  class="to-page"
                  href={href}
                  title={title}
                  aria-label={spoken(label, title)}
                  aria-current={name === here ? "page" : undefined}>
                  <span class="icon" aria-hidden="true" children={icon} />
                  {label}
                </a>
              </li>
            ))}
          </ul>
        ))}
        <Group class="languages" label={texts.languages}>
          {languages.map(([code, name]) => (
            <Button
              key={code}
              lang={code}
              aria-current={code === language ? "true" : undefined}
              act={() => code !== language && choose(code, store)}>
              {name}
            </Button>
          ))}
        </Group>
      </nav>
    </>
  );
}

// The spoken name contains the visible label, so that speech control can use it (WCAG 2.5.3).
const spoken = (label: string, title: string) => (title.toLowerCase().includes(label.toLowerCase()) ? title : `${label}: ${title}`);

async function choose(code: string, store: Store) {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs https, which a server in a lecture hall lacks
  document.cookie = `viz_lang=${code}; path=/; max-age=${YEAR}; samesite=lax`;
  await loadTexts(code);
  store.ask({ lang: code });
}

// Moves the focus past the rail and the top bar to the figure, without changing the address.
function skip() {
  const figure = document.querySelector<HTMLElement>(".st-key-_page");
  if (!figure) return;
  figure.tabIndex = -1;
  figure.addEventListener("blur", () => figure.removeAttribute("tabindex"), { once: true });
  figure.focus({ preventScroll: true }); // it is in sight already
}

export const mountRail = part(Rail);
export default early(mountRail); // also on a page without a sentence
