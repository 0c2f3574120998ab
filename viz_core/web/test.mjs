// Runs tests/web/*.test.ts under Node.js: pure functions of the browser's sources, without a browser.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { modules } from "./modules.mjs";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const TESTS = join(ROOT, "tests", "web");
const out = mkdtempSync(join(tmpdir(), "viz-web-"));
const entryPoints = readdirSync(TESTS)
  .filter((name) => name.endsWith(".test.ts"))
  .map((name) => join(TESTS, name));
const options = { bundle: true, format: "esm", platform: "node", outdir: out, outExtension: { ".js": ".mjs" } };
await esbuild.build({ ...options, entryPoints, logLevel: "warning", plugins: [modules(ROOT)] });
const files = readdirSync(out).map((name) => join(out, name));
process.exitCode = spawnSync(process.execPath, ["--test", ...files], { stdio: "inherit" }).status ?? 1;
rmSync(out, { recursive: true });
