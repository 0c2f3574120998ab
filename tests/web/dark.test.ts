import assert from "node:assert/strict";
import { test } from "node:test";
import { darkened } from "../../viz_core/browser/site/dark";

test("a recorded page takes the dark palette, packed figures too", () => {
  const light = { dark: false, surface: "#FFFFFF", ink: "#1A1825" };
  const dark = { dark: true, surface: "#14161D", ink: "#F1EFF7" };
  const page = { theme: light, text: "<b style='color:#1A1825'>#FFFFFF</b>", packed: btoa("\0\xff#1A1825") };
  const shown = { theme: dark, text: "<b style='color:#F1EFF7'>#FFFFFF</b>", packed: btoa("\0\xff#F1EFF7") };
  assert.deepEqual(JSON.parse(JSON.stringify(page), darkened(light, dark)), shown);
});
