import assert from "node:assert/strict";
import test from "node:test";
import { chances, numeric, scale, statistics, width } from "./stats.js";

const die = [1, 2, 3, 4, 5, 6].map((n) => ({ n, counts: true, outcome: "total", label: String(n), p: 1 / 6 }));
const close = (a, b) => assert.ok(Math.abs(a - b) < 1e-9, `${a}, want ${b}`);

test("a die has its mean, deviation, median and modes", () => {
  const { mean, deviation, median, modes } = statistics(die);
  close(mean, 3.5);
  close(deviation, Math.sqrt(35 / 12));
  assert.equal(median, 3);
  assert.deepEqual(modes, [1, 2, 3, 4, 5, 6]);
});

test("at least and at most add up chances, with numbers that can't come", () => {
  const numbers = [0, 1, 2, 3, 4, 5, 6, 7];
  chances(numbers, die, "least").forEach((p, i) => close(p, [1, 1, 5 / 6, 4 / 6, 3 / 6, 2 / 6, 1 / 6, 0][i]));
  chances(numbers, die, "most").forEach((p, i) => close(p, [0, 1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6, 1, 1][i]));
  chances(numbers, die, "exactly").forEach((p, i) => close(p, i > 0 && i < 7 ? 1 / 6 : 0));
});

test("named outcomes are no numbers", () => {
  assert.ok(numeric(die));
  assert.ok(!numeric([...die, { label: "miss", outcome: "miss", n: 0, p: 0 }]));
  assert.ok(!numeric([]));
});

test("a bar is as wide as its chance", () => {
  close(width(0.45, scale(0.55, false), false), 0.45); // two outcomes, 45 % and 55 %
  close(width(0.999, scale(1, false), false), 0.999);
  close(width(0.125, scale(0.125, true), false), 0.125 / 0.2); // counts share a line of 20 %, which the axis names
});

test("a scale of counts is a round chance that holds the likeliest", () => {
  for (const [most, want] of [[0.6, 1], [0.5, 0.5], [0.3, 0.5], [0.17, 0.2], [0.12, 0.2], [0.1, 0.1], [0.0013, 0.002]]) close(scale(most, true), want);
  close(scale(0.0013, false), 1);
});

test("a log scale shows what is rare, and nothing of what can't be", () => {
  close(width(0.001, 1, true), 0.5);
  assert.equal(width(0, 1, true), 0);
});
