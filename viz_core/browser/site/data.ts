// The data that `viz_core/app/site/` writes for pages without a server.

import type { Texts } from "../../web/src/address";
import type { Talk } from "../../web/src/ui/store";

/** A part of a page. data: its JSON, perhaps with `recorded`, the answer for the opening sentence; packed: the part's bytes, both in
 * base64; own, fixed: whether it is the same for every sentence, and with every number in the controls; offStage: whether
 * lecture mode has no room for it; inPage: whether the page's style sheets apply to it; isBelow: whether it is a control below a figure. */
export type Placed = {
  name: string;
  key: string;
  data?: Record<string, unknown>;
  packed?: string;
  own: boolean;
  fixed: boolean;
  offStage?: boolean;
  inPage: boolean;
  isBelow?: boolean;
};

/** A value of a control in a figure: the parameters that it stands for once it is picked, and the parts that differ there. */
type Picked = { lead: Texts; parts: Placed[] };

/** A page with some values of its own controls, as in an address. open: whether no figure gives the next word away. picks: by control and
 * value. */
export type PageState = {
  asked: Texts;
  heading: string;
  caption: string[];
  hint: string[];
  parts: Placed[];
  open: boolean;
  picks: Record<string, Record<string, Picked>>;
};

/** One model, as its pages are recorded. usual: the sentence that needs no naming. files: that the engine reads, by name, below models/. */
export type SiteModel = {
  languages: [string, string];
  files: Record<string, string>;
  digest: string;
  bytes: number;
  scripts: string[]; // of the source's language, as in regular expressions; none if it is not known
  sum?: number; // of the weights, see `verified`
  usual: string;
};

/** A view of a talk. exercise: its name, if there is one; talk: what the player shows of it. */
export type SiteView = {
  page: string;
  parameters: Texts;
  title: string;
  caption: string;
  exercise: string;
  talk: Pick<Talk, "name" | "title" | "titles"> & Record<string, unknown>;
};

/** The whole. base: of the site, relative to the document. build: another one for other code or models. formulas, offline, app: the
 * addresses of the typesetter, of the service worker and of an app that shows the same views, relative to the site. */
export type Site = {
  base: string;
  build: string;
  languages: string[];
  pages: string[]; // the first is at the base
  models: Record<string, SiteModel>; // the first is the usual one
  beside: Record<string, SiteModel>; // which views of these need
  talks: string[]; // names
  formulas?: string;
  app?: string;
  offline?: string;
  doubts: Record<"script" | "foreign" | "improbable", number>; // from when on a translation is doubted
  themes: Record<"light" | "dark", Record<string, unknown>>; // palettes
};
