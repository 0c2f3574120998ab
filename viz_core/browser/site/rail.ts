// The rail and the dialog of the link on a site: their data, which the app has from Python.

import type { Share } from "../../web/src/ui/store";

export type RailData = {
  sections: [name: string, pages: { name: string; href: string }[]][];
  languages: [code: string, name: string][];
};

export function railOf(data: RailData, pathOf: (page: string) => string, languages: readonly string[]) {
  const known = data.languages.filter(([code]) => languages.includes(code));
  return {
    ...data,
    sections: data.sections.map(([section, pages]) => [section, pages.map((page) => ({ ...page, href: pathOf(page.name) }))]),
    languages: known.length > 1 ? known : [],
  };
}

// The content of the dialog with the link, as `share.py` makes it for the app.

const ONLY_HERE = /(^|\.)localhost$|^127\.|^\[::1\]$|^0\.0\.0\.0$/;

/** Before somebody asks for the code. onlyHere: says that another machine cannot open the link. */
export const uncoded = (onlyHere: string): Share => ({
  code: "",
  no_code: "",
  problem: ONLY_HERE.test(location.hostname) ? onlyHere : "",
});

/** The code of a link. script: the address of `qr.ts`; tooLong: says so. */
export async function codeOf(link: string, script: string, tooLong: string): Promise<Partial<Share>> {
  try {
    const { qrCode }: typeof import("./qr") = await import(script);
    return { code: qrCode(link) };
  } catch (error) {
    return { no_code: error instanceof RangeError ? tooLong : (error as Error).message };
  }
}
