import assert from "node:assert/strict";
import { test } from "node:test";
import { darkened } from "../../viz_core/browser/site/dark";

test("a recorded page takes the dark palette, packed figures too; colour scales and the ink on their cells stay", () => {
  const [light, dark] = [
    { dark: false, surface: "#FFFFFF", ink: "#1A1825", sequential: ["#FFFFFF", "#22093F"] },
    { dark: true, surface: "#14161D", ink: "#F1EFF7", sequential: ["#14161D", "#FFF6FF"] },
  ];
  const page = {
    theme: light,
    text: "<b style='color:#1A1825'>#FFFFFF</b>",
    scale: light.sequential,
    packed: btoa("\0\xff#1A1825"),
  };
  assert.deepEqual(JSON.parse(JSON.stringify(page), darkened(light, dark)), {
    theme: dark,
    text: "<b style='color:#F1EFF7'>#FFFFFF</b>",
    scale: light.sequential,
    packed: btoa("\0\xff#F1EFF7"),
  });
});
