// What the dialog of the link shows, which the app has from `share.py`.

import type { Share } from "../../web/src/ui/store";

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
