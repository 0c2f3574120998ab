// The files of a site, each fetched once and kept by the browser: recorded pages, talks, words of a language and models, which the engine
// in its worker is given.

import type { Answer, Files, Request } from "../../web/src/engine/answering";
import { textsIn } from "../../web/src/texts";
import { fill } from "../kit/numbers";
import { modelsBeside } from "./addresses";
import { inTheme } from "./dark";
import type { SiteModel, Site } from "./data";

const texts = textsIn("app.site");

// The engine in its worker, as a source of data in place of the server.

type Asked = Omit<Request, "id">;
type Told = (progress: Answer) => void;

/** Asks the worker; tell: of its progress. isFull: there is too little memory. */
export type Engine = (asked: Asked, tell?: Told) => Promise<Answer & { isFull?: boolean }>;
type Failed = Error & { isFull?: boolean };

const FULL = /allocat|out of memory|invalid (typed )?array length/i; // as browsers put it

export function engineIn(worker: Worker): Engine {
  const waiting = new Map<number, { done: (answer: Answer & { isFull?: boolean }) => void; tell: Told | undefined }>();
  let [last, ended] = [0, ""]; // ended: the reason why the worker no longer answers
  const hear = (answer: Answer) => {
    const asked = waiting.get(answer.id);
    if (answer.written !== undefined || answer.share !== undefined) return asked?.tell?.(answer);
    waiting.delete(answer.id);
    const isFull = FULL.test(answer.error ?? "");
    asked?.done(isFull ? { ...answer, error: texts.memory, isFull } : answer);
  };
  worker.onmessage = ({ data }: MessageEvent<Answer>) => hear(data);
  worker.onerror = ({ message }) => {
    if (!message) ended = "engine.js"; // its script did not load
    for (const id of waiting.keys()) hear({ id, error: message || ended });
  };
  return (asked, tell) =>
    new Promise((done) => {
      last += 1;
      if (ended) return done({ id: last, error: ended });
      waiting.set(last, { done, tell });
      const weights = asked.open?.files.weights ?? "";
      worker.postMessage({ id: last, ...asked }, typeof weights === "string" ? [] : [weights.buffer]); // handed over, not copied
    });
}

/** The progress in words. */
export const progressIn = ({ written, share = 0 }: Answer) =>
  written === undefined ? fill(texts.computing, { share: Math.round(100 * share) }) : fill(texts.opening, { tokens: written });

/** Hands something to the engine. Throws an error in one sentence. */
export async function give(engine: Engine, asked: Asked) {
  const { error, isFull } = await engine(asked);
  if (error) throw Object.assign(new Error(error), { isFull });
}

export const WEIGHTS = "model.safetensors";
const TABLES = ["config.json", "rules.json", "target_rules.json", "sentences.json"];

/** The files of a model. read: the bytes of one. */
export async function filesOf(
  { files, languages }: Pick<SiteModel, "files" | "languages">,
  read: (place: string, name: string) => Promise<Uint8Array | string>,
) {
  const each = Object.entries(files).map(async ([name, place]) => {
    const bytes = await read(place, name);
    if (name === WEIGHTS) return ["weights", bytes];
    const own = name.replace(/\.\w+$/, "");
    if (typeof bytes === "string" || name.endsWith(".safetensors")) return [own, bytes];
    const text = new TextDecoder().decode(bytes);
    return [own, TABLES.includes(name) ? JSON.parse(text) : text];
  });
  return { ...Object.fromEntries(await Promise.all(each)), languages } as Files;
}

const CACHE = "viz-core-models";

// The browser keeps it where it can. how: "reload" for a copy that is neither kept nor cached. unkept: called where it keeps nothing.
async function kept(url: string, how: RequestCache, unkept: () => void, tell?: (bytes: number) => void) {
  const cache = await globalThis.caches?.open(CACHE).catch(() => null); // absent without https, refused when the storage is full
  const known = how !== "reload" && (await cache?.match(url));
  if (known) return new Uint8Array(await known.arrayBuffer());
  const answer = await fetch(url, { cache: how });
  if (!answer.ok || !answer.body) throw new Error(`${answer.status} ${url}`);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for (const reader = answer.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    bytes += value.length;
    tell?.(bytes);
  }
  const whole = new Blob(parts);
  await (cache ? cache.put(url, new Response(whole)).catch(unkept) : unkept());
  return new Uint8Array(await whole.arrayBuffer());
}

export function startedBy(makeWorker: () => Worker) {
  try {
    return engineIn(makeWorker());
  } catch {
    return null; // no Worker, or a policy that forbids it
  }
}

/** tell: of the share of a model that has come, 0 to 1. unkept: called where the browser keeps no model. */
export function makeLibrary(
  site: Site,
  root: URL,
  engine: Engine,
  tell: (share: number, model: string) => void,
  unkept: () => void,
) {
  const themed = inTheme(site);
  const told = (error: Failed) =>
    Promise.reject(error.isFull ? error : new Error(fill(navigator.onLine ? texts.cut : texts.offline, { reason: error.message })));
  const json = memoized(async (path: string) => {
    const answer = await fetch(new URL(path, root));
    if (!answer.ok) throw new Error(`${answer.status} ${path}`);
    return JSON.parse(await answer.text(), themed);
  });

  const openModel = memoized(async (model: string) => {
    const about = (site.models[model] ?? site.beside[model]) as SiteModel;
    // The digest of the weights is part of the address, so that another model is another file.
    const addressOf = (place: string) => new URL(`models/${place}?of=${about.digest.slice(0, 12)}`, root).href;
    const come = (bytes: number) => tell(bytes / about.bytes, model);
    const open = async (how: RequestCache) => {
      const read = (place: string, name: string) => kept(addressOf(place), how, unkept, name === WEIGHTS ? come : undefined);
      await give(engine, { open: { model, files: { ...(await filesOf(about, read)), sum: about.sum } } });
    };
    const anew = (error: Failed) => (error.isFull ? Promise.reject(error) : open("reload")); // the kept copy may be bad
    await open("default").catch(anew).catch(told);
  });
  const openWords = memoized(async (lang: string) => give(engine, { lang, words: await json(`words/${lang}.json`) }).catch(told));

  /** Opens the models that an address names, and the words of its language. */
  const openFor = async (address: string) => {
    const asked = new URLSearchParams(address.split("?")[1]);
    const names = [asked.get("model") ?? [], modelsBeside({ data: { address } })].flat();
    await Promise.all([openWords(asked.get("lang") ?? (site.languages[0] as string)), ...names.map(openModel)]);
  };
  const opening = makeOpening(site, root);
  const answer = async (address: string, tell: Told) => {
    const known = await opening.find(address);
    if (known) return known;
    try {
      await openFor(address);
    } catch (problem) {
      return { error: (problem as Error).message };
    }
    const { answer: found, ended, error } = await engine({ address }, tell);
    if (found) opening.keep(address, found);
    return found ?? (ended ? "away" : { error: error ?? texts.failed });
  };
  return { json, openFor, answer };
}

/** The answers for the sentences that models open with, kept by the browser, so that the first picture of a later visit waits for no
 * model. Where it keeps nothing, nothing else is missing. */
function makeOpening({ build, models }: Site, root: URL) {
  const folder = new URL(`opening/${build}/`, root).href;
  const opened = memoized(async (name: string) => {
    const cache = await globalThis.caches?.open(name); // absent without https
    const isOld = ({ url }: globalThis.Request) => url.startsWith(root.href) && !url.startsWith(folder); // of another version
    for (const request of (await cache?.keys()) ?? []) if (isOld(request)) await cache?.delete(request);
    return cache;
  });
  const keyOf = (address: string) => folder + encodeURIComponent(address);
  const cacheOf = async (address: string) => {
    const { model = "", text, target, edits, draft, right_model } = Object.fromEntries(new URLSearchParams(address.split("?")[1]));
    const isOpening = text === models[model]?.usual && !target && !edits && !draft && !right_model;
    return isOpening ? opened("viz-core-opening").catch(() => undefined) : undefined;
  };
  return {
    async find(address: string) {
      const known = await (await cacheOf(address))?.match(keyOf(address));
      return known && new Uint8Array(await known.arrayBuffer());
    },
    async keep(address: string, answer: Uint8Array) {
      const kept = new Response(answer as Uint8Array<ArrayBuffer>);
      await (await cacheOf(address))?.put(keyOf(address), kept).catch(() => {}); // such as a full storage
    },
  };
}

/** Makes each but once, and again what has failed. */
export function memoized<Made>(make: (name: string) => Promise<Made>) {
  const results = new Map<string, Promise<Made>>();
  return (name: string) => {
    const known = results.get(name) ?? make(name);
    results.set(name, known);
    known.catch(() => results.delete(name));
    return known;
  };
}

/** Has the browser keep the site, so that it opens without a network. Where it cannot, nothing else is missing. */
export async function keepOffline(script: URL) {
  const { serviceWorker } = navigator as Partial<Navigator>; // absent without https, except on this machine
  try {
    await serviceWorker?.register(script, { updateViaCache: "none" });
    const registered = await serviceWorker?.ready;
    registered?.active?.postMessage(performance.getEntriesByType("resource").map(({ name }) => name));
  } catch {} // such as a full storage
}
