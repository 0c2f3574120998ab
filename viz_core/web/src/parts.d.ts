// All parts by their names, as `modules.mjs` puts them together.
declare module "viz:parts" {
  export const parts: Record<string, import("../../browser/kit/payload").Part>;
}
