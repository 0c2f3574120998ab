// Two scores that show why queries and keys are separate: of the key whose score differs most from that of the other direction.

import assert from "node:assert/strict";
import { test } from "node:test";
import { rivalOf } from "../../pages/qkv/browser/qkv_why_arithmetic";

test("the rival is another key, with a mask an earlier one", () => {
  const [there, back] = [
    [9, 1, 3, -4],
    [0, 1.5, 3, 4],
  ];
  assert.equal(rivalOf(there, back, 2, false), 0);
  assert.equal(rivalOf(there, back, 0, false), 3);
  assert.equal(rivalOf([0, 1, 3, -9], [0, 1.5, 3, 4], 2, true), 1); // not 3, which is masked
  assert.equal(rivalOf([1, 5], [1, 5], 1, true), 0); // no difference at all
});
