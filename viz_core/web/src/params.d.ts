// The table of parameters, as viz_core/params.py prints it.
declare module "viz:params" {
  const params: {
    view: Record<string, { name: string; kind: string; first?: number; default?: unknown; options?: (string | number)[] }>;
    staged: string[];
    everywhere: string[];
  };
  export default params;
}
