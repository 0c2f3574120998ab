// The service worker of a site: keeps its files, so that the site opens without a network. `offline.py` puts the list of files before
// this script. A file is kept under its hash, so that a new version downloads only the files that differ. Models are kept by the
// page itself, see `library.ts`.

/** files: address below the site → hash. at_once: those to keep at the first visit; of the other folders, all files are kept once one of
 * them is used. digests: of the models. */
declare const SITE: { files: Record<string, string>; at_once: string[]; digests: string[] };

// Of TypeScript's library for service workers, which does not go with the one for pages.
type Extendable = Event & { waitUntil(done: Promise<unknown>): void };
type Fetched = Extendable & { request: Request; respondWith(answer: Promise<Response> | Response): void };
type Scope = typeof self & {
  registration: { scope: string };
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
};

const worker = self as unknown as Scope;
const { scope } = worker.registration;
const names = Object.keys(SITE.files);
const keyOf = (name: string) => `${scope}${name}?of=${SITE.files[name]}`;
const folderOf = (name: string) => name.slice(0, name.lastIndexOf("/") + 1);
const nameOf = (address: string) =>
  address
    .slice(scope.length)
    .replace(/[?#].*/s, "")
    .replace(/(^|\/)index\.html$/, "$1");
const opened = () => caches.open(`viz-core ${scope}`);

async function keep(wanted: string[]) {
  const cache = await opened();
  for (const name of wanted) {
    if (await cache.match(keyOf(name))) continue;
    const answer = await fetch(scope + name, { cache: "no-cache" });
    if (!answer.ok) throw new Error(`${answer.status} ${name}`);
    await cache.put(keyOf(name), answer);
  }
}

// The files of the folders that these are in.
function keepWith(used: string[]) {
  const folders = new Set(used.filter((name) => name in SITE.files).map(folderOf));
  return keep(names.filter((name) => folders.has(folderOf(name)))).catch(() => {}); // another time, then
}

async function clean() {
  const current = new Set(names.map(keyOf));
  const cache = await opened();
  for (const { url } of await cache.keys()) if (!current.has(url)) await cache.delete(url);
  const models = await caches.open("viz-core-models");
  const isOld = ({ url }: Request) => url.startsWith(scope) && !SITE.digests.includes(new URL(url).searchParams.get("of") ?? "");
  for (const request of await models.keys()) if (isOld(request)) await models.delete(request);
}

async function answered(asked: Fetched, name: string) {
  const known = await opened()
    .then((cache) => cache.match(keyOf(name)))
    .catch(() => undefined); // no storage
  if (known) return known;
  asked.waitUntil(keepWith([name]));
  return fetch(asked.request);
}

worker.addEventListener("install", (event) => {
  (event as Extendable).waitUntil(keep(SITE.at_once).then(() => worker.skipWaiting()));
});
worker.addEventListener("activate", (event) => {
  (event as Extendable).waitUntil(clean().then(() => worker.clients.claim()));
});
worker.addEventListener("fetch", (event) => {
  const asked = event as Fetched;
  const { method, url } = asked.request;
  if (method !== "GET" || !url.startsWith(scope)) return;
  const name = nameOf(url);
  if (name in SITE.files) asked.respondWith(answered(asked, name));
  else if (`${name}/` in SITE.files) asked.respondWith(Response.redirect(`${scope}${name}/${new URL(url).search}`));
});
// The page tells the addresses that it has loaded, some of them before there was a service worker.
worker.addEventListener("message", (event) => {
  const { data } = event as MessageEvent<string[]>;
  const used = data.filter((address) => address.startsWith(scope)).map(nameOf);
  (event as unknown as Extendable).waitUntil(keepWith(used));
});
