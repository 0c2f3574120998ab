// Builds the browser bundle into dist/, which is committed: app.js, with everything of ours, and texts.<language>.js; what a page
// without a server loads beside it: the engine's worker, QR codes and a service worker. engine.json tells Python what the engine answers.
//
//   node viz_core/web/build.mjs            builds
//   node viz_core/web/build.mjs --check    fails if dist/ is not up to date
//   node viz_core/web/build.mjs --watch    builds at each change, with source maps; build once more before a commit
//   node viz_core/web/build.mjs --test     runs tests/web/*.test.ts under Node.js, without a browser
//   node viz_core/web/build.mjs --for-node <file>    bundles it for Node.js and prints it, for tests
//   node viz_core/web/build.mjs --stdin    bundles the entry read from standard input and prints it, for tests

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { allTexts, modules, printedBy, textModule } from "./modules.mjs";

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = join(HERE, "..", "..");
const DIST = join(HERE, "dist");

const common = {
  absWorkingDir: ROOT,
  bundle: true,
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
  minify: true,
  plugins: [modules(ROOT)],
  target: "es2022",
  write: false,
};
const app = {
  ...common,
  entryPoints: { app: join(ROOT, "viz_core", "browser", "app.ts"), qr: join(ROOT, "viz_core", "browser", "site", "qr.ts") },
  format: "esm",
  outdir: DIST,
};
const workers = {
  ...common,
  entryPoints: {
    engine: join(HERE, "src", "engine", "worker.ts"),
    service_worker: join(ROOT, "viz_core", "browser", "site", "service_worker.ts"),
  },
  format: "iife",
  outdir: DIST,
};

const built = async () => [
  ...(await Promise.all([app, workers].map((options) => esbuild.build(options)))).flatMap(({ outputFiles }) => outputFiles),
  { path: join(DIST, "engine.json"), contents: Buffer.from(`${JSON.stringify(engineTable(), null, 1)}\n`) },
  { path: join(DIST, "sites.d.ts"), contents: Buffer.from(siteTypes(JSON.parse(printedBy(ROOT, "sites")))) },
  ...textFiles(allTexts(ROOT)),
];

// The texts of each language as a module, and their types.
const textFiles = (texts) => [
  ...Object.entries(texts).map(([code, tables]) => ({
    path: join(DIST, `texts.${code}.js`),
    contents: Buffer.from(textModule(tables)),
  })),
  { path: join(DIST, "texts.d.ts"), contents: Buffer.from(textTypes(texts.en)) },
];

// The names of `viz:sites`, so that a misspelt one is an error.
const siteTypes = (axes) => `declare module "viz:sites" {
export type Site =
${Object.keys(axes)
  .map((name) => `  | \`${name.replace("LAYER", `\${number}`)}\``)
  .join("\n")};
const axes: Record<string, string[]>;
export default axes;
}
`;

// The keys of `viz:texts`, so that TypeScript knows them; a table of texts inside of one may be asked for any name.
function textTypes(english) {
  const entries = (value, depth) =>
    Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${typeOf(each, depth + 1)}`);
  const others = (value, depth) =>
    depth > 1 && Object.values(value).every((each) => typeof each === "string") ? ["[name: string]: string"] : [];
  const typeOf = (value, depth) => {
    if (Array.isArray(value)) return `[${value.map((each) => typeOf(each, depth))}]`;
    return typeof value === "object" ? `{ ${[...entries(value, depth), ...others(value, depth)].join("; ")} }` : typeof value;
  };
  const tables = typeOf(english, 0);
  return `declare module "viz:texts" {
const texts: Record<string, ${tables}>;
export default texts;
export const languages: Record<string, string>;
}
`;
}

// What Python must know of the engine: the views that it answers, and the tables of texts that these take words from.
function engineTable() {
  const folder = join(HERE, "src", "engine");
  const files = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith(".ts"));
  const found = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name);
  const sources = files.map((file) => readFileSync(join(folder, file), "utf8")).join("\n");
  const [, table] = readFileSync(join(folder, "views", "views.ts"), "utf8").split("VIEWS:");
  const named = found(sources, /\bwords\(\s*["`]([^"`]+)["`]/g).filter((name) => name !== "code");
  const ofKinds = named.flatMap((name) => ["self", "masked", "cross"].map((kind) => name.replace(/\$\{kind\}/, kind)));
  return { views: found(table, /^ {2}(\w+)[:,]/gm).sort(), texts: [...new Set(ofKinds)].sort() };
}

// Writes atomically: a reader never sees half a file.
function write({ path, contents }) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  mkdirSync(DIST, { recursive: true });
  writeFileSync(`${path}.${process.pid}.partial`, contents);
  renameSync(`${path}.${process.pid}.partial`, path);
}

async function check() {
  const files = await built();
  const differs = ({ path, contents }) => !existsSync(path) || !readFileSync(path).equals(contents);
  const wrong = files.filter(differs).map(({ path }) => path);
  const paths = files.map(({ path }) => path);
  const present = readdirSync(DIST).map((name) => join(DIST, name));
  wrong.push(...present.filter((path) => !paths.includes(path)));
  if (!wrong.length) return;
  console.error(`dist is out of date: ${wrong.join(", ")}\nrun npm run build, and commit the result`);
  process.exitCode = 1;
}

async function watch() {
  const writing = { name: "write", setup: ({ onEnd }) => onEnd(({ outputFiles }) => outputFiles.forEach(write)) };
  for (const options of [app, workers]) {
    const readable = { minify: false, sourcemap: "inline", logLevel: "info", plugins: [...options.plugins, writing] };
    await (await esbuild.context({ ...options, ...readable })).watch();
  }
}

async function printed() {
  const stdin = { contents: readFileSync(0, "utf8"), resolveDir: ROOT, sourcefile: "entry.ts", loader: "ts" };
  const [{ text }] = (
    await esbuild.build({ ...common, minify: false, format: "iife", plugins: [modules(ROOT, { withTexts: true })], stdin })
  ).outputFiles;
  process.stdout.write(text);
}

const FOR_NODE = {
  bundle: true,
  format: "esm",
  platform: "node",
  logLevel: "warning",
  plugins: [modules(ROOT, { withTexts: true })],
};

async function forNode(file) {
  const [{ text }] = (await esbuild.build({ ...FOR_NODE, entryPoints: [join(ROOT, file)], write: false })).outputFiles;
  process.stdout.write(text);
}

async function test() {
  const [folder, out] = [join(ROOT, "tests", "web"), mkdtempSync(join(tmpdir(), "viz-web-"))];
  const names = readdirSync(folder).filter((name) => name.endsWith(".test.ts"));
  const entryPoints = names.map((name) => join(folder, name));
  await esbuild.build({ ...FOR_NODE, entryPoints, outdir: out, outExtension: { ".js": ".mjs" } });
  const files = readdirSync(out).map((name) => join(out, name));
  process.exitCode = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" }).status ?? 1;
  rmSync(out, { recursive: true });
}

const [option, file] = process.argv.slice(2);
if (option === "--check") await check();
else if (option === "--watch") await watch();
else if (option === "--test") await test();
else if (option === "--for-node") await forNode(file);
else if (option === "--stdin") await printed();
else (await built()).forEach(write);
