// esbuild plugin for virtual modules, generated from the folders:
//
//   viz:parts          { parts }: every part by name, as { mount, run, style }, whichever it has
//   viz:style/<part>   its style sheet, after those of the modules it imports
//   viz:params         the table of viz_core/params.py, printed by Python
//   viz:sites          name → axes of every recorded quantity, of viz_core/sites.py; LAYER stands for a layer's number
//   viz:texts          languages: language → the digest of its texts; with `withTexts`, also language → the texts, see `allTexts`
//   viz:inner/<part>   everything that its module and their imports export, for tests
//
// A part is what exports `mount<Part>` or, by default, the function that Streamlit calls; and `<part>.css`. A part of several pages is
// `viz_core/browser/<part>/<part>.ts` or .tsx, where a `main.ts` beside it replaces its Streamlit entry. Those of a single page are in
// `pages/<page>/browser/`, one or several in a file.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import * as esbuild from "esbuild";

const SOURCE = /\.[jt]sx?$/;
// Parts that contain other parts, and so need their style sheets as well.
const MADE_OF = { side_by_side: ["attention_view"], everywhere: ["link"] };

export const mountName = (name) =>
  `mount${name
    .split("_")
    .map((word) => word[0].toUpperCase() + word.slice(1))
    .join("")}`;

const partName = (pascal) => pascal.replace(/(?!^)[A-Z]/g, "_$&").toLowerCase();

// The plugin, for the sources in a folder.
export function modules(root, { withTexts = false } = {}) {
  const browser = join(root, "viz_core", "browser");
  const own = join(root, "viz_core", "web", "src");
  const shared = [join(browser, "kit"), own, join(own, "ui")];
  let graph = null; // a promise
  const printed = (name) => () => `export default ${printedBy(root, name)}`;
  const texts = () => {
    const all = allTexts(root);
    const digests = Object.entries(all).map(([code, tables]) => [
      code,
      createHash("sha256").update(textModule(tables)).digest("hex").slice(0, 16),
    ]);
    return `export default ${withTexts ? JSON.stringify(all) : "{}"}; export const languages = ${JSON.stringify(Object.fromEntries(digests))}`;
  };
  const tables = { params: printed("params"), sites: printed("sites"), texts };
  const makers = { parts: () => allParts(), style: (name) => styleOf(name), inner: (name) => innerOf(name), ...tables };

  const sources = (folder) =>
    existsSync(folder)
      ? readdirSync(folder)
          .filter((file) => SOURCE.test(file) && !file.endsWith(".d.ts"))
          .sort()
      : [];
  const stem = (file) => file.replace(SOURCE, "");
  const folders = (folder) =>
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
      .sort();

  // name → { file, main, folder } of each part, whose file bears its name.
  function partFiles() {
    const all = new Map();
    const keep = (name, folder, file, main = null) => {
      if (all.has(name)) throw new Error(`two parts are called ${name}: in ${all.get(name).folder} and in ${folder}`);
      all.set(name, { folder, file: file && join(folder, file), main: main && join(folder, main) });
    };
    for (const name of folders(browser)) {
      const folder = join(browser, name);
      const named = (stemWanted) => sources(folder).find((file) => stem(file) === stemWanted);
      if (named(name)) keep(name, folder, named(name), named("main"));
    }
    const pages = join(root, "pages");
    for (const page of folders(pages)) {
      const folder = join(pages, page, "browser");
      for (const file of sources(folder)) for (const name of partsIn(stem(file), join(folder, file))) keep(name, folder, file);
    }
    return all;
  }

  const exports = (file, what) => new RegExp(`^export ${what}`, "m").test(readFileSync(file, "utf8"));
  const mounts = (name, file) => exports(file, `((async )?function|const) ${mountName(name)}\\b`);
  const runs = (file) => exports(file, "default\\b");
  const mounted = (file) => readFileSync(file, "utf8").matchAll(/^export (?:(?:async )?function|const) mount(\w+)/gm);
  const partsIn = (name, file) => [...(runs(file) ? [name] : []), ...[...mounted(file)].map((found) => partName(found[1]))];

  function allParts() {
    const lines = [];
    const parts = [];
    for (const [name, { file, main }] of partFiles()) {
      const run = main ?? (runs(file) ? file : null);
      if (!run && !mounts(name, file)) continue;
      const has = [];
      const add = (what, line) => {
        lines.push(line);
        has.push(what);
      };
      if (mounts(name, file)) add(`mount: ${mountName(name)}`, `import { ${mountName(name)} } from ${quoted(file)};`);
      if (run) add(`run: run_${name}`, `import run_${name} from ${quoted(run)};`);
      add(`style: style_${name}`, `import style_${name} from "viz:style/${name}";`);
      parts.push(`${name}: { ${has.join(", ")} }`);
    }
    return `${lines.join("\n")}\nexport const parts = { ${parts.join(",\n")} };`;
  }

  async function styleOf(name) {
    const { folder } = part(name);
    const used = (await closure(name)).filter((file) => shared.includes(dirname(file))).map((file) => file.replace(SOURCE, ".css"));
    const own = [...(MADE_OF[name] ?? []), name].map((owner) => join(part(owner).folder ?? folder, `${owner}.css`));
    const sheets = [join(browser, "kit", "chosen.css"), ...used, ...own].filter(existsSync);
    const lines = sheets.map((sheet, at) => `import sheet${at} from ${quoted(sheet)};`);
    return `${lines.join("\n")}\nexport default [${sheets.map((_, at) => `sheet${at}`)}].join("\\n");`;
  }

  async function innerOf(name) {
    return (await closure(name)).map((file) => `export * from ${quoted(file)};`).join("\n");
  }

  // All files a part is made of, sorted, so that the bundle is the same everywhere.
  async function closure(name) {
    graph ??= imported();
    const inputs = await graph;
    const seen = new Set();
    const follow = (path) => {
      if (seen.has(path) || !SOURCE.test(path) || path.includes("node_modules/")) return;
      seen.add(path);
      for (const imported of inputs[path].imports) follow(imported.path);
    };
    follow(relative(root, part(name).file).replaceAll("\\", "/"));
    return [...seen].sort().map((path) => join(root, path));
  }

  // path → { imports }, of every source file.
  async function imported() {
    const entryPoints = [...partFiles().values()].map(({ file }) => file);
    const options = {
      bundle: true,
      write: false,
      metafile: true,
      absWorkingDir: root,
      outdir: root,
      external: ["viz:*"],
      logLevel: "silent",
    };
    return (await esbuild.build({ ...options, entryPoints, loader: { ".css": "text" } })).metafile.inputs;
  }

  function part(name) {
    const files = partFiles().get(name);
    if (!files) throw new Error(`no part is called ${name}`);
    return files;
  }

  return {
    name: "viz",
    setup({ onStart, onResolve, onLoad }) {
      onStart(() => {
        graph = null;
      });
      onLoad({ filter: /\.css$/ }, async ({ path }) => {
        const { code } = await esbuild.transform(readFileSync(path, "utf8"), {
          loader: "css",
          minify: true,
          charset: "utf8",
        });
        return { contents: code, loader: "text", watchFiles: [path] };
      });
      onResolve({ filter: /^viz:/ }, ({ path }) => ({ path: path.slice(4), namespace: "viz" }));
      onLoad({ filter: /.*/, namespace: "viz" }, async ({ path }) => {
        const [what, name] = path.split("/");
        const places = [...folders(browser).map((folder) => join(browser, folder)), ...pageFolders()];
        return { contents: await makers[what](name), resolveDir: root, watchDirs: places };
      });
    },
  };

  function pageFolders() {
    const pages = join(root, "pages");
    return folders(pages)
      .map((page) => join(pages, page, "browser"))
      .filter(existsSync);
  }
}

export const printedBy = (root, name, ...given) =>
  execFileSync("python3", ["-m", `viz_core.${name}`, ...given], { cwd: root, encoding: "utf8" });

/** The module of one language's texts. */
export const textModule = (tables) => `export default ${JSON.stringify(tables)}\n`;

/** Language → the tables of texts that the browser's sources name, as in textsIn("browser.next_token"), printed by viz_core/texts.py. The
 * engine's texts are sent to it (`engine.json`). */
export function allTexts(root) {
  const sources = ["viz_core/browser", "viz_core/web/src", "pages"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((file) => join(root, folder, file)),
  );
  const ours = sources.filter((file) => SOURCE.test(file) && !/[\\/]engine[\\/]/.test(file));
  const names = ours.flatMap((file) => [...readFileSync(file, "utf8").matchAll(/\btextsIn\("([\w.]+)"/g)].map(([, name]) => name));
  return JSON.parse(printedBy(root, "texts", ...new Set(names.sort())));
}

const quoted = (path) => JSON.stringify(path);
