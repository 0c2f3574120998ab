// The data that `viz_core/app/html_file.py` writes into a file.

import { bytesOf } from "../../web/src/payload";
import type { ComponentProps } from "preact";
import type { ExactCell, Limits, Talk, Theme, View, Words } from "../../web/src/ui/store";
import type { Sentence } from "../site/sentence";
import type { Player } from "../player/player";
import type { Data as TopBar } from "../top_bar/field";

type PlayerTexts = ComponentProps<typeof Player>;
export type Texts = Words<"only_server handout handout_sign place notes notes_sign drawing handout_ready with_notes"> &
  Words<"covered covered_figure">;

export interface FileData {
  texts: Words<"covered covered_figure"> & {
    player: PlayerTexts["texts"];
    bar: PlayerTexts["bar"];
    covers: PlayerTexts["covers"];
    file: Omit<Texts, "covered" | "covered_figure">;
  };
  theme: Theme;
  views: FileView[];
  plotly: string | null; // hash of its script, if a view needs it
  talk: Pick<Talk, "name" | "title" | "titles" | "starts"> | null;
  live: LiveData | null; // of a file that computes
  records: Record<string, string>; // address → hash of the answer
  packed: Record<string, string>; // hash → base64 of gzip
}

/** engine: hash of its script. files: name → hash. texts, notices: by code, in the language of the file. */
export interface LiveData {
  model: string;
  languages: [string, string];
  engine: string;
  files: Record<string, string>;
  texts: Words<"model recorded opening no_worker">;
  notices: Record<string, string>;
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

// Unpacks each content of the file once.
export function makeUnpack(packed: FileData["packed"]): Unpack {
  const contents = new Map<string, ReturnType<Unpack>>();
  return (hash) => {
    const unpacked = contents.get(hash) ?? inflate(bytesOf(packed[hash] ?? ""));
    contents.set(hash, unpacked);
    return unpacked;
  };
}

async function inflate(bytes: Uint8Array<ArrayBuffer>) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
