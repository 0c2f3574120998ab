// The top bar: source and target on every page, the current step highlighted; layer, head and model. A click on a token of
// the target goes to the step that writes it. Each side has one line, so that nothing below it ever moves; a long one
// scrolls with the step. In Streamlit a sentence is typed where it stands.

import { dismissible } from "../kit/dismiss.js";
import { button, dress, el, fadeEdges, repeating, setAttributes, setText } from "../kit/dom.js";
import { fill } from "../kit/numbers.js";
import { guessedFrom, hides } from "../kit/store.js";
import { walked } from "../kit/walk.js";
import { TAKEN_AFTER, makeField } from "./field.js";
import { makeStart } from "./start.js";

const APART = 160;
const ARRIVING = 1600; // ms from one token of a new translation to the next, and of all
const ROOM = 4; // layers beside which the model has room
const SIDES = ["source", "target"];
const CHOICES = ["layer", "head"];
const SQUEEZES = [[], ["tight"], ["tight", "dense"], []]; // of a line, tried one after the other; one that is far too long scrolls
// What an open block of the overview does not depend on.
const IDLE = {
  embedding: ["layer", "head"],
  memory: ["layer", "head"],
  softmax: ["layer", "head"],
  ffn: ["head"],
  encoder_ffn: ["head"],
};

// data: { source, target: [[text, word or null, note]], languages: [source's, target's], texts }, and in Streamlit { typed and
// suggested: { source, target }, starts: whether this is where one begins, doubt: why the translation is likely wrong, or "",
// fits: [a model for such a text, words of its button] or null, model, models, examples: [[text, note]], page, theme }.
// send(name, value): to Python; null in a file of its own. Returns { update, destroy }.
export function mountTopBar(root, data, store, send = null) {
  let shown = data;
  let told = send;
  let rows = {}; // by side
  const fields = send ? Object.fromEntries(SIDES.map((side) => [side, makeField(side, said)])) : {};
  const choices = CHOICES.map((name) => makeChoice(name, store));
  const models = el("select", { class: "model", onchange: () => takeModel(models.value) });
  const bar = el("div", { class: "bar", role: "toolbar" });
  let start = null;
  let built = false; // whether the chips of the source can be chosen
  let written = null; // what stood there, so that another translation arrives token by token
  root.replaceChildren(bar);

  function said(name, value) {
    told?.(name, value);
  }

  let wanted = null; // the model that Python was asked for: { model, before }, while another one has not come
  const telling = repeating(
    () => said("model", wanted.model),
    () => wanted !== null && wanted.model !== shown.model,
    () => TAKEN_AFTER,
  );
  const takeModel = (model) => {
    wanted = { model, before: shown.model };
    telling.begin();
  };

  const isWalked = () => walked(store).name === "token";

  const build = () => {
    built = isWalked();
    const { texts, languages = [] } = shown;
    const chips = {
      source: shown.source.map(([text, , note], index) => {
        const classes = { class: chipClass(shown.source, index) };
        if (!isWalked()) return el("span", { ...classes, title: note || null }, text);
        return button(text, () => store.set({ token: index }), classes);
      }),
      target: shown.target.map(([text], index) => {
        const go = () => {
          const step = Math.max(index - 1, 0);
          store.set(step === store.view.step && hides(store.view) ? { revealed: true } : { step });
        };
        return button(text, go, { class: chipClass(shown.target, index) });
      }),
    };
    rows = Object.fromEntries(SIDES.map((side, at) => [side, makeRow(side, chips[side], languages[at])]));
    const lines = SIDES.flatMap((side, at) => [
      el("span", { class: `name ${side}` }, texts[side]),
      el(
        "div",
        { class: `line ${side}` },
        rows[side],
        ...(fields[side]?.nodes(shown, languages[at]) ?? []),
        ...(side === "target" && shown.doubt ? [makeDoubt(shown, takeModel, store)] : []),
      ),
    ]);
    for (const choice of choices) choice.build(texts);
    if (shown.models) {
      models.replaceChildren(...shown.models.map((name) => el("option", { value: name }, name)));
      if (wanted && (wanted.before !== shown.model || !shown.models.includes(wanted.model))) wanted = null;
      models.value = wanted?.model ?? shown.model ?? "";
      setAttributes(models, { "aria-label": texts.model, title: texts.model });
    }
    setAttributes(bar, { "aria-label": texts.toolbar });
    const known = shown.source.length > 0;
    bar.replaceChildren(
      ...lines,
      ...(known ? choices.map(({ node }) => node) : []),
      ...(shown.models?.length ? [models] : []),
    );
    if (!known && shown.model) fields.source?.open();
    if (!shown.starts) {
      start?.remove();
      start = null;
    } else if (!start) {
      start = makeStart(shown, fields.source.take);
      root.prepend(start);
    }
    const output = shown.target.map(([text]) => text).join("\n");
    if (written !== null && output !== written && known) arrive();
    written = output;
    paint(store.view);
    resize();
  };

  // The tokens of a new translation, one after the other.
  const arrive = () => {
    if (store.theme.still) return;
    const { children } = rows.target;
    const apart = Math.min(APART, ARRIVING / children.length);
    [...children].forEach((node, at) => {
      const timing = { duration: APART, delay: at * apart, fill: "backwards" };
      node.animate([{ opacity: 0, transform: "translateY(.4rem)" }, { opacity: 1 }], timing);
    });
  };

  const makeRow = (side, nodes, lang) => {
    const open = () => fields[side]?.open();
    const attributes = { class: "row", tabindex: 0, role: "group", lang, "aria-label": shown.texts[side] };
    const row = el("div", { ...attributes, onscroll: () => fadeEdges(row) }, ...nodes);
    if (side === "source" && fields.source && !isWalked()) row.addEventListener("click", open);
    return row;
  };

  // What there is to say of a token stands before what a click on it does.
  const noted = (side, index, act) => [shown[side][index][2], act].filter(Boolean).join("\n");

  const paint = (view) => {
    dress(root, store.theme.ink ? store.theme : (shown.theme ?? {}));
    root.toggleAttribute("data-lecture", view.lecture);
    bar.toggleAttribute("data-deep", store.limits.layers > ROOM); // known later than the sentence
    if (start) start.hidden = view.lecture || Boolean(store.talk);
    const { step } = view;
    const guessed = guessedFrom(view);
    const { texts } = shown;
    if (built !== isWalked()) return build();
    if (built)
      [...rows.source.children].forEach((node, index) => {
        const isHere = index === view.token;
        node.classList.toggle("read", isHere);
        const title = noted("source", index, isHere ? texts.focus : fill(texts.to_token, { token: index + 1 }));
        setAttributes(node, { tabindex: isHere ? 0 : -1, "aria-current": isHere ? "true" : null, title });
      });
    [...rows.target.children].forEach((node, index) => {
      const next = index === step + 1;
      node.classList.toggle("read", index === step);
      node.classList.toggle("next", next);
      node.classList.toggle("ahead", index > step + 1);
      const act = next
        ? texts.writes
        : index === step
          ? texts.reads
          : fill(texts.to_step, { step: Math.max(index, 1) });
      const title = index > guessed ? act : noted("target", index, act);
      setAttributes(node, { tabindex: next ? 0 : -1, "aria-current": next ? "step" : null, title });
      setText(node, index > guessed ? "?" : shown.target[index][0]);
    });
    fields.target?.hide(guessed < Infinity);
    for (const choice of choices) choice.paint(view);
    const below = store.share?.picked_below && !view.lecture;
    const picked = below ? CHOICES : (store.limits.picked_by ?? store.share?.picked_by ?? CHOICES);
    const idle = [...(IDLE[view.open] ?? []), ...CHOICES.filter((name) => !picked.includes(name))];
    for (const choice of choices) choice.idle(idle.includes(choice.name));
    follow(view);
  };

  // The pencil gives up its words, and the tokens the room around theirs, where these then fit their line.
  const makeRoom = () => {
    for (const side of SIDES) {
      const { parentNode: line } = rows[side];
      SQUEEZES.some((names) => {
        for (const name of ["tight", "dense"]) line.classList.toggle(name, names.includes(name));
        return rows[side].scrollWidth <= rows[side].clientWidth;
      });
    }
  };

  // The current token and what is read stand in the middle of a line that is too long.
  const follow = ({ step, token }) => {
    const middle = { target: Math.min(step + 1, rows.target.children.length - 1), source: built ? token : -1 };
    for (const side of SIDES) {
      const row = rows[side];
      const at = row.children[middle[side]];
      if (at && row.scrollWidth > row.clientWidth)
        row.scrollLeft = at.offsetLeft - row.offsetLeft - row.clientWidth / 2;
    }
    SIDES.forEach((side) => fadeEdges(rows[side]));
  };

  const resize = () => {
    makeRoom();
    follow(store.view);
  };

  build();
  store.typeSentence = fields.source?.open;
  const observer = new ResizeObserver(resize);
  observer.observe(root);
  const off = store.subscribe(paint);
  return {
    update(next, sending = told) {
      told = sending;
      if (JSON.stringify(next) === JSON.stringify(shown)) return;
      shown = next;
      build();
    },
    destroy() {
      observer.disconnect();
      off();
      if (store.typeSentence === fields.source?.open) store.typeSentence = null;
    },
  };
}

// 1…n as a row of buttons, of the layer or the head. Returns { node, build, paint }.
function makeChoice(name, store) {
  const buttons = el("span", { class: "buttons", role: "group" });
  const label = el("span", { class: "name" });
  const node = el("div", { class: `choice ${name}` }, label, buttons);
  let count = 0;
  let words = "";

  const build = (texts) => {
    words = texts[name];
    setText(label, words);
    setAttributes(buttons, { "aria-label": words });
    count = 0;
  };

  const paint = (view) => {
    const all = store.limits[`${name}s`];
    if (all !== count) {
      count = all;
      const one = (_, at) =>
        button(String(at + 1), () => store.set({ [name]: at }), { "aria-label": `${words} ${at + 1}` });
      buttons.replaceChildren(...Array.from({ length: all }, one));
    }
    [...buttons.children].forEach((node, at) => setAttributes(node, { "aria-pressed": at === view[name] }));
  };
  // Where it chooses nothing: on stage it is not there.
  const idle = (isIdle) => {
    node.classList.toggle("idle", isIdle);
    for (const one of buttons.children) one.disabled = isIdle;
  };
  return { name, node, build, paint, idle };
}

// That the translation is likely wrong; a click says why.
function makeDoubt({ doubt, fits, texts }, takeModel, store) {
  const sign = el("i", { "aria-hidden": true }, "⚠ ");
  const summary = el("summary", { title: doubt }, sign, el("span", {}, texts.doubt));
  const [model, words] = fits ?? [];
  const other = model ? [button(words, () => takeModel(model), { class: "fits" })] : [];
  const node = el("details", { class: "doubt" }, summary, el("div", {}, el("p", {}, doubt), ...other));
  const watch = dismissible(node, store, () => {
    node.open = false;
  });
  summary.addEventListener("click", (event) => {
    event.preventDefault(); // the event of the browser's own way comes a little later
    node.open = !node.open;
    watch(node.open);
  });
  return node;
}

function chipClass(all, index) {
  const word = all[index][1];
  const first = word === null || all[index - 1]?.[1] !== word;
  const last = word === null || all[index + 1]?.[1] !== word;
  const names = ["token", first && "first", last && "last", word === null && "special"].filter(Boolean);
  return names.join(" ");
}
