import assert from "node:assert/strict";
import { test } from "node:test";
import { apart, likely } from "./faces.js";

test("the example has as many faces as dice fall, and none that a die lacks", () => {
  for (const [n, sides, want] of [[1, 100, "3"], [2, 10, "3 10"], [3, 6, "3 6 1"], [0, 0, "3 10 1"], [9, 10, "3 10 1 3 10 1 …"]]) {
    assert.equal(likely({ n, sides }), want);
  }
});

test("faces typed without spaces are told apart", () => {
  for (const [text, n, sides, want] of [
    ["47", 2, 10, "4 7"],
    ["3101", 3, 10, "3 10 1"],
    ["10", 2, 10, "10"],
    ["110", 2, 10, "1 10"],
    ["1066", 4, 10, "10 6 6"],
    ["66", 2, 6, "6 6"],
    ["3 10 4", 1, 10, "3 10 4"],
    ["47", 1, 100, "47"],
    ["47", 1, 10, "4 7"], // whatever falls next
    ["4,7; 2", 3, 10, "4 7 2"],
    ["2 3 11", 3, 10, "2 3 11"], // as it was typed: there is no 11
    ["20", 2, 10, "20"], // there is no 0
    ["x7", 2, 10, "x7"],
    ["47", 0, 0, "47"],
  ]) assert.equal(apart(text, { n, sides }).join(" "), want, text);
});
