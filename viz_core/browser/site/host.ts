// A page without a server: takes the place of Streamlit and Python. It mounts the recorded parts of a page, as Streamlit would, has the
// engine answer their addresses, and reports to the store as `addressed.py` does. The address is the state here, too.

import { type Texts, linkTo } from "../../web/src/address";
import { theStore } from "../../web/src/state";
import { loadTexts, textsIn } from "../../web/src/texts";
import { START, syncedPart } from "../../web/src/view";
import { count, answerFrom, fetched } from "../kit/data";
import { setAttributes } from "../kit/dom";
import { fill } from "../kit/numbers";
import type { Called } from "../kit/payload";
import type { Data as Ways } from "../ways/ways";
import type { Site, SiteView, PageState, Placed } from "./data";
import { makeLibrary, keepOffline, progressIn, startedBy } from "./library";
import { absentOf, carriedOf, leadsOn, openingOf, requestOf, rightOf, swapped, viewOf } from "./addresses";
import {
  awayOf,
  followedBy,
  hasMoved,
  isOfPicture,
  isRival,
  isUsable,
  optionsOf,
  pickedIn,
  replacedOf,
  stateFor,
} from "./recorded";
import { makeMounter, makeSkeleton } from "./skeleton";
import { type RailData, railOf, codeOf, uncoded } from "./rail";
import { barOf, doubtOf, exerciseOf, limitsOf, NOTHING, noticesOf, shellOf } from "./sentence";
import { entriesOf, triedOf } from "./tried";

const texts = textsIn("app.site");

type Run = (called: Called) => unknown;
type Visit = { path: string; parameters: Texts; number: number; carried: Texts; isLink: boolean };

const SOON = 1000; // ms after the first picture until its model is opened

const AROUND = ["rail", "access", "top_bar", "address"]; // parts of a page without a sentence

export function openSite(site: Site, makeWorker: () => Worker, part: (name: string) => Run) {
  const store = theStore();
  store.talks = site.talks;
  const root = new URL(site.base, document.baseURI);
  const links = document.querySelectorAll<HTMLLinkElement>("link:not([rel=stylesheet])");
  for (const link of links) link.setAttribute("href", link.href); // whole, since the document's address changes with the page
  const addressOf = (file: string) => new URL(file, root).href;
  const pathOf = (page: string) => root.pathname + (page === site.pages[0] ? "" : `${page}/`);
  const pages = Object.fromEntries(site.pages.map((page) => [pathOf(page), page]));
  const place = makeSkeleton();
  const mounter = makeMounter(part, place.of);
  const engine = startedBy(makeWorker);
  if (!engine) return place.say(texts.no_worker);
  const { json, openFor, answer } = makeLibrary(
    site,
    root,
    engine,
    (share, model) => place.tell(fill(texts.loading, { share: Math.round(100 * share), model })),
    () => {
      isKept = false;
    },
  );
  let latest: Visit | null = null;
  let run = 0;
  let before: Texts = {}; // the parameters of the last visit
  let isKept = true; // the model, by the browser
  let shared: Placed | null = null; // the part `share` as mounted
  let brought = 0;
  const usualLang = site.languages[0] as string;

  answerFrom(async (address) => {
    const found = await answer(address, (progress) => place.tell(progressIn(progress)));
    if (found !== "away") place.tell("");
    return found;
  });

  async function show(visit: Visit) {
    latest = visit;
    count(1);
    try {
      place.say((await draw(visit)) ?? "");
    } catch (error) {
      if (latest === visit) place.say(fill(texts.failed, { reason: (error as Error).message }));
    } finally {
      place.tell("");
      count(-1);
    }
  }

  // The view of the talk that an address names, if there is one.
  async function talkView({ talk, at }: Texts, lang: string) {
    if (!talk || !/^[\w-]+$/.test(talk)) return null;
    const views = (await json(`talks/${lang}/${talk}.json`).catch(() => [])) as SiteView[];
    const index = Math.min(Math.max(Number.parseInt(at ?? "1", 10) || 1, 1), views.length) - 1;
    const paths = views.map((view) => pathOf(view.page));
    const view = views[index];
    return view ? { ...view, talk: { ...view.talk, at: index, paths } } : null;
  }

  function lead(page: string, { path, parameters, number }: Visit) {
    brought += 1;
    const go = pathOf(page);
    store.onMessage({ session: "site", visited: number, brought, path, go, parameters }, send);
  }

  async function draw(visit: Visit) {
    const { path, number, carried } = visit;
    const page = pages[path] ?? (site.pages[0] as string);
    const lang = visit.parameters.lang && site.languages.includes(visit.parameters.lang) ? visit.parameters.lang : usualLang;
    setAttributes(document.documentElement, { lang }); // only if it is another one: then every style is computed anew
    await loadTexts(lang);
    place.name();
    const given = await talkView(visit.parameters, lang);
    const isBegun = given && visit.parameters.text === undefined; // by a link that names nothing but the view
    if (isBegun && given.page !== page) return lead(given.page, visit);
    const asked = requestOf(
      site,
      page,
      lang,
      { ...(isBegun ? given.parameters : {}), ...visit.parameters },
      carried,
      Boolean(given),
    );
    const { parameters, model, sentence, edits } = asked;
    const absent = absentOf(parameters, { talk: given?.talk.name, model });
    const states: PageState[] = await json(`pages/${lang}/${model}/${page}.json`);
    const [state, led] = pickedIn(stateFor(states, parameters), parameters, before);
    before = { ...parameters, ...led };
    if (visit.isLink && parameters.layer) delete led.layer; // the link names it
    const now: Texts = { layer: String(store.view.layer + 1), ...parameters };
    if (Object.entries(led).some(([name, value]) => now[name] !== value))
      return lead(page, { ...visit, parameters: { ...visit.parameters, ...led } });
    const player = dataOf(state, "player");
    const against = state.parts.some(({ data }) => isRival(data)) ? (parameters.against ?? "") : undefined;
    const isInMain = (each: Placed) => place.of(each) === place.main;
    const asking = (next: Texts) => requestOf(site, page, lang, next, carried, false);
    const entriesFor = (data: Record<string, unknown>) => entriesOf(data, site, { states, parameters, asking, isInMain });
    // A view of which the engine computes nothing shows what was recorded, and says with which sentence.
    const isExample = !asked.isUsual && !sentence.edits && !state.parts.some(({ data }) => data?.address);
    let isMoved = false; // no computed part depends on it
    const usable = (each: Placed) => isUsable(each, site, asked.isUsual || isExample, isMoved);
    const recordedOf = ({ data }: Placed) => (asked.isUsual ? (data?.recorded as string | undefined) : undefined);
    const addressOfPart = ({ data }: Placed) => (data?.address ? asked.moved(data.address as string) : "");
    let error = ""; // then the page asks for another sentence
    const beside = rightOf(state.parts.filter(usable).map(addressOfPart));
    const explaining = shellOf(sentence, lang, player.limits.question.asked, edits.right ?? "", beside, against); // and while this page is drawn:
    for (const each of state.parts) if (addressOfPart(each) && usable(each) && !recordedOf(each)) fetched(addressOfPart(each));
    const shell = await explaining.catch((problem: Error) => {
      error = problem.message;
      return NOTHING;
    });
    if (latest !== visit || !shell) return;

    const first = openingOf(visit, page, shell, carried);
    const offStage = given === null && visit.parameters.talk ? { lecture: false } : {}; // on stage nobody would read that it is missing
    const view = { ...player.view, ...syncedPart(START), ...viewOf(parameters), ...first, ...offStage };
    isMoved = hasMoved(state, parameters, view);
    const exercise = error ? null : await exerciseOf(given?.exercise ?? "", sentence, lang, view, edits.draft);
    if (latest !== visit) return;
    run += 1;
    const identity = { session: "site", visited: number, brought, run };
    const hidden = [...player.limits.question.answers, "word", "source"]; // what Predict can hide here, as in prediction.py
    if (!hidden.includes(view.predict)) view.predict = "";
    const limits = limitsOf(player.limits, shell);
    const question = given ? null : triedOf(state.parts, carried, limits.text);
    const most = shell.merges[state.asked.side ?? ""] ?? 0;
    const isCounted = (data: Placed["data"]) => data?.name === "done" && most > 0;
    const own: Record<string, (data: Record<string, unknown>) => Record<string, unknown>> = {
      rail: (data) => railOf(data as RailData, pathOf, site.languages),
      top_bar: (data) => ({
        ...data,
        ...barOf(shell, sentence),
        model,
        models: Object.keys(site.models),
        starts: false,
        ...doubtOf(shell, site, model),
      }),
      player: (data) => ({
        ...data,
        ...identity,
        limits,
        view,
        path,
        talk: given && { ...given.talk, exercise },
        exact: null,
        alive: "",
        counterpart: site.app ? { from: root.pathname, to: new URL(site.app, root).pathname, words: texts.in_app, model } : null,
        notes_page: addressOf("notes.html"),
        formulas: site.formulas ? addressOf(site.formulas) : "",
        plotly: addressOf("plotly.js"),
      }),
      address: (data) => ({
        ...data,
        ...identity,
        page,
        path,
        pages,
        carried: { ...carriedOf(first, carried), ...edits.carried, ...question?.carried },
        of: {},
        follows: [...followedBy(state), ...Object.keys(exercise?.at ?? {})], // where it is asked
        kept: asked.kept(data.first as Texts),
        ...(error ? { is_empty: true, first: {} } : {}),
      }),
      share: (data) => ({ ...data, ...uncoded(texts.local), run }),
      switchboard: (data) => ({
        ...data,
        ...shell.board,
        state: { ...(data.nothing as object), ...(shell.board.state as object) },
      }),
      everywhere: () => ({ draft: edits.right ?? "", on: edits.named.everywhere === "on" }),
      link: (data) => (data.name === "swap" ? { ...data, asks: swapped(data.asks as Texts, sentence.text, parameters) } : data),
      ways: ({ ways }) => ({ ways: (ways as Ways["ways"]).map((way) => ({ ...way, href: pathOf(way.page) })) }),
      // The slider of merges is as long as the word with most of them.
      control: (data) => {
        const own = isCounted(data) ? { high: most, value: String(most) } : isRival(data) ? { options: shell.rivals } : {};
        const named = parameters[data.name as string];
        const isListed =
          !["buttons", "list"].includes(data.kind as string) || isRival(data) || optionsOf(data).includes(named ?? "");
        const chosen = isListed ? named : undefined; // a notice says that there is no other
        const away = awayOf(data, states, parameters, isInMain);
        return { ...data, ...own, away, ...(chosen === undefined ? {} : { value: chosen }) };
      },
      try_this: (data) => ({ ...data, entries: entriesFor(data) }),
    };
    const isItsPage = given?.page === page;
    const isCaptioned = isItsPage && given.caption;
    place.title(
      isItsPage ? given.title : state.heading,
      isCaptioned ? [given.caption] : state.caption,
      isCaptioned ? [] : state.hint,
    );
    const replaced = visit.isLink && !error ? replacedOf(parameters, state, limits) : [];
    const notices = noticesOf({ notices: [...shell.notices, ...replaced] });
    // A control that differs from sentence to sentence, such as a slider as long as a word, is true of the opening one only.
    const isAround = ({ name, data }: Placed) => (name in own && !["control", "link"].includes(name)) || isCounted(data);
    const isShown = error ? ({ name }: Placed) => AROUND.includes(name) : (each: Placed) => isAround(each) || usable(each);
    const isEmpty = ({ name, data = {} }: Placed) =>
      (name === "try_this" && !entriesFor(data).length) || (name === "link" && !leadsOn(data, site, parameters));
    const hasPicture = state.parts.some((each) => isInMain(each) && isShown(each));
    const parts = state.parts.filter((each) => !isEmpty(each) && isShown(each) && (hasPicture || !isOfPicture(each)));
    const isOfAnother = isExample && parts.some((each) => !each.own && !isAround(each));
    const example = isOfAnother ? [fill(texts.example, { text: site.models[model]?.usual })] : [];
    place.note([...absent, ...(shell.limits.edited ? [shell.limits.edited] : []), ...example, ...notices]);
    if (question && !error) parts.push(question.part);
    let hasFigure = false;
    for (const each of parts) {
      hasFigure ||= place.of(each) === place.main;
      const data = each.data && (own[each.name]?.(each.data) ?? (each.data.address ? { address: addressOfPart(each) } : each.data));
      const packed = recordedOf(each);
      const isBelow = hasFigure && ["control", "link"].includes(each.name);
      const placed = { ...each, isBelow, ...(packed ? { packed } : data ? { data } : {}) };
      if (each.name === "share") shared = placed;
      mounter.mount(placed, send);
    }
    mounter.leave(parts);
    const isMounted = parts.some((each) => isInMain(each) && !["html", "plot"].includes(each.name));
    place.cover(state.open, !state.open && !isMounted, hidden.includes("figure"));
    const isLess = state.parts.some(
      (each) => !isEmpty(each) && (!parts.includes(each) || (each.data?.recorded && !recordedOf(each))),
    );
    const lacksAll = state.parts.some(isInMain) ? fill(texts.only_here, { text: site.models[model]?.usual }) : texts.only_app;
    const lacks = !hasPicture ? lacksAll : isLess ? texts.less_here : "";
    place.explain(error ? "" : [lacks, isKept ? "" : texts.unkept].filter(Boolean).join(" "));
    setTimeout(() => openFor(`?${new URLSearchParams({ lang, model })}`).catch(() => {}), SOON); // if nothing needed the model yet
    return error;
  }

  async function drawCode() {
    const now = shared;
    const code = await codeOf(linkTo(store.now()), addressOf("qr.js"), texts.too_long);
    if (now && shared === now) mounter.mount({ ...now, data: { ...now.data, ...code } }, send);
  }

  function send(event: string, value: unknown) {
    if (event === "code") drawCode();
    if (event === "start") {
      const { name, lecture } = value as { name: string; lecture: boolean };
      store.link("", { talk: name, at: "1", ...(lecture ? { lecture: "on" } : {}) });
    }
    if (event !== "visit") return;
    const { parameters, number, carried = {} } = value as Visit;
    show({ path: store.drawn?.path ?? location.pathname, parameters, number, carried, isLink: false });
  }

  // Another page: by the store, which says more beside the address, or by the browser's Back. Back within a page is the store's.
  async function arrive() {
    const { pathname: path, search } = location;
    const { _said: said, ...parameters } = Object.fromEntries(new URLSearchParams(search));
    const { number = latest?.number ?? 0, carried = {} } = said ? JSON.parse(said) : {};
    const visit = { path, parameters, number, carried, isLink: !said };
    if (!said) brought += 1; // the store has not asked for it, and takes over its view
    if (said || !store.drawn) await show(visit);
    else if (path !== store.drawn.path) setTimeout(() => show(visit)); // the store first remembers the page that is left
  }
  addEventListener("popstate", arrive);
  arrive().then(() => (site.offline ? keepOffline(new URL(site.offline, root)) : undefined));
}

// biome-ignore lint/suspicious/noExplicitAny: as Python wrote it
const dataOf = (state: PageState, name: string): any => state.parts.find((each) => each.name === name)?.data ?? {};
