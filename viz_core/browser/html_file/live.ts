// A file that computes: the engine in a worker, both made of the file's own bytes, in place of the server that a sentence is sent to.

import type { Texts as Parameters } from "../../web/src/address";
import { bytesOf, inflated } from "../../web/src/payload";
import { textsIn } from "../../web/src/texts";
import type { ExactCell, Limits, Talk, Theme, View, Root, Store } from "../../web/src/ui/store";
import { type Sentence, barOf, limitsOf, noticesOf, shellOf } from "../site/sentence";
import type { Data as TopBar } from "../top_bar/field";
import { syncedPart, START } from "../../web/src/view";
import { count } from "../kit/data";
import { el, setText } from "../kit/dom";
import { fill } from "../kit/numbers";
import { movedTo } from "../site/addresses";
import type { SiteModel } from "../site/data";
import { type Engine, engineIn, filesOf, give, memoized, progressIn, WEIGHTS } from "../site/library";
import type { Answer } from "../../web/src/engine/answering";

// The data that `viz_core/app/html_file.py` writes into a file.

const texts = textsIn("app.downloads.live");
const site = textsIn("app.site");

export interface FileData {
  theme: Theme;
  views: FileView[];
  plotly: string | null; // hash of its script, if a view needs it
  talk: Pick<Talk, "name" | "title" | "titles" | "starts"> | null;
  live: LiveData | null; // of a file that computes
  records: Record<string, string>; // address → hash of the answer
  packed: Record<string, string>; // hash → base64 of gzip; weights are elements of their own instead
}

/** models: with those that a view needs beside `model`; files: name → hash. engine, words: hashes of its script and of the texts that it uses. */
export interface LiveData {
  model: string;
  models: Record<string, Pick<SiteModel, "languages" | "files">>;
  engine: string;
  words: string;
}

export interface FileView {
  heading: string;
  caption: string[]; // odd entries are bold
  note: string;
  limits: Limits;
  view: Partial<View>;
  exact: ExactCell | null;
  top_bar: TopBar;
  open: boolean; // whether no figure gives the next word away
  sentence: Sentence;
  missing?: string; // a sentence on what the view lacks
  drawn: Drawn[];
}

// content: a hash, or null if the engine answers the address; name: of the part; address: where its data came from; alone: whether it has the stage for itself.
export type Drawn = {
  kind: "part" | "figure" | "html";
  name: string;
  alone: boolean;
  address: string;
  content: string | null;
};

// Returns the bytes with a hash.
export type Unpack = (hash: string) => Promise<Uint8Array<ArrayBuffer>>;

export const makeUnpack = (packed: FileData["packed"]): Unpack => memoized((hash) => inflated(bytesOf(packed[hash] ?? "")));

/** The view that the file shows, as recorded or for the typed sentence. isTurning: whether the previous view is still shown; show: shows
 * a view; write: writes the address. */
type Around = { view(): FileView; isTurning(): boolean; show(view: FileView): Promise<unknown>; isShown(): boolean; write(): void };

export function makeLive(live: LiveData, unpack: Unpack, store: Store, { view, isTurning, show, isShown, write }: Around) {
  const { model } = live;
  const status = el("p", { class: "status", role: "status" });
  const said = { message: "", progress: fill(texts.model, { model }) };
  const tell = (words: Partial<typeof said>) => {
    Object.assign(said, words);
    setText(status, said.message || said.progress);
  };
  status.addEventListener("click", () => tell({ message: "" }));
  document.body.append(status);
  tell({});
  const lang = document.documentElement.lang;
  const starting = started(live, lang, unpack);
  starting.catch(({ message }: Error) => tell({ message }));
  let wanted: Sentence | null = null; // typed, and not shown yet
  let typed: Sentence | null = null; // typed and shown

  async function answer(address: string) {
    try {
      const engine = await starting;
      const isWaited = () => wanted || !isShown(); // for: not in advance
      const told = (now: Answer) => now.written !== 0 && isWaited() && tell({ progress: progressIn(now) });
      const { answer: bytes, ended, error } = await engine({ address }, told);
      return bytes ?? (ended ? "away" : { error: error ?? "" });
    } catch (error) {
      return { error: (error as Error).message };
    } finally {
      tell({ progress: "" });
    }
  }

  // The view of another sentence, or as recorded where the file cannot compute it; null if a newer one is wanted.
  async function viewOf(recorded: FileView, sentence: Sentence): Promise<FileView | null> {
    const { text } = recorded.sentence;
    const only = fill(texts.recorded, { text });
    const drawn = recorded.drawn.filter(({ content }) => content === null);
    if (!drawn.length) return { ...recorded, missing: only };
    const shell = await shellOf(sentence, lang, recorded.limits.question?.asked ?? "word");
    if (wanted !== sentence || !shell) return null;
    const isOther = sentence.text !== text || sentence.target !== recorded.sentence.target;
    const isWritten = isOther && recorded.note; // for the recorded sentence, in a talk
    const { caption, view: own } = recorded;
    tell({ message: noticesOf(shell).join(" ") });
    return {
      ...recorded,
      limits: limitsOf(recorded.limits, shell),
      view: isTurning() ? { ...own, cell: null } : placeOf(store.view, typed ?? recorded.sentence, sentence),
      caption: isWritten ? [...caption, ...(caption.length % 2 ? [""] : []), ` ${fill(texts.caption, { text })}`] : caption,
      note: isWritten ? `${fill(texts.note, { text })}\n\n${recorded.note}` : recorded.note,
      exact: null,
      top_bar: { ...recorded.top_bar, ...barOf(shell, sentence) },
      drawn: drawn.map((one) => ({ ...one, address: movedTo(one.address, sentence) })),
      missing: drawn.length < recorded.drawn.length ? only : "",
    };
  }

  async function take(sentence: Sentence) {
    const recorded = view();
    wanted = sentence;
    write();
    store.repaint();
    count(1);
    try {
      const next = await viewOf(recorded, sentence);
      if (next) await show(next);
      if (wanted === sentence) [wanted, typed] = [null, sentence];
    } catch (error) {
      if (wanted !== sentence) return;
      tell({ message: (error as Error).message });
      if (isTurning()) await show(recorded);
    } finally {
      count(-1);
    }
  }

  store.ask = ({ text, target = null }) => {
    if (text === undefined && target === undefined) return;
    if (text !== undefined && !text?.trim()) return leave();
    const now = wanted ?? typed ?? view().sentence;
    take({ ...now, text: text ?? now.text, target: target ?? "" });
  };
  // The recorded sentence once more.
  function leave() {
    wanted = typed = null;
    show(view());
    write();
    tell({ message: fill(texts.emptied, { text: view().sentence.text }) });
  }
  store.pending = (name) => wanted?.[name as keyof Sentence] ?? null;

  return {
    answer,
    // The typed sentence as parameters of the address.
    parameters(): Parameters {
      const { text = "", target = "" } = wanted ?? typed ?? {};
      return { ...(text && { text }), ...(target && { target }) };
    },
    // Lets the top bar take sentences, also on stage.
    takes(bar: Root) {
      bar.toggleAttribute("data-live", true);
      return Object.assign(bar, { send() {} });
    },
    // The sentence of the address, in the view that the file opens with; whether there is one.
    restore() {
      const query = new URLSearchParams(location.search);
      if (!query.has("text")) return null;
      return take({ ...view().sentence, text: query.get("text") ?? "", target: query.get("target") ?? "" });
    },
    // Brings the view that is wanted now: of the typed sentence, if there is one.
    turn() {
      const sentence = wanted ?? typed;
      tell({ message: "" });
      return sentence ? take({ ...sentence }) : show(view());
    },
  };
}

// Throws an error in one sentence.
async function started(live: LiveData, lang: string, unpack: Unpack): Promise<Engine> {
  const { engine: script, models, words } = live;
  if (typeof Worker === "undefined") throw new Error(site.no_worker);
  const url = URL.createObjectURL(new Blob([await unpack(script)], { type: "text/javascript" }));
  const engine = engineIn(new Worker(url));
  const read = async (hash: string, name: string) => (name === WEIGHTS ? weightsOf(hash) : unpack(hash));
  for (const [model, held] of Object.entries(models)) await give(engine, { open: { model, files: await filesOf(held, read) } });
  await give(engine, { lang, words: JSON.parse(new TextDecoder().decode(await unpack(words))) });
  return engine;
}

// The packed weights, which end the document. They are unpacked in the worker, and no copy stays here.
async function weightsOf(hash: string) {
  if (document.readyState === "loading") await new Promise((done) => document.addEventListener("DOMContentLoaded", done));
  const pieces = document.querySelectorAll<HTMLElement>(`[data-of="${hash}"]`);
  const packed = Array.from(pieces, (piece) => piece.textContent ?? "").join("");
  if (!packed || packed.length !== Number(pieces[0]?.dataset.size)) throw new Error(texts.incomplete);
  for (const piece of pieces) piece.remove();
  return packed;
}

// The reader's place in the view, for another sentence or target.
function placeOf(view: View, before: Sentence, { text }: Sentence): Partial<View> {
  const anew = { step: START.step, cell: null, ...(text === before.text ? {} : { token: START.token }) };
  return { ...syncedPart(view), ...anew };
}
