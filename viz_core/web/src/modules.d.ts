// Generated modules, see `modules.mjs`: a table printed by viz_core/params.py, and all parts by name.
declare module "viz:params" {
  type Param = { name: string; kind: string; first?: number; default?: unknown; options?: string[]; low?: number; high?: number };
  const params: { view: Record<string, Param>; staged: string[]; everywhere: string[]; carried: string[] };
  export default params;
}
declare module "viz:parts" {
  export const parts: Record<string, import("../../browser/kit/payload").Part>;
}
declare module "*.css" {
  const minified: string;
  export default minified;
}
