// A rule whose :has() stands by itself ("> :has(…)", "> :not(:has(…))") may mean any element, so that each change of the page
// has the browser look at the whole of it again: 30 ms instead of 2, and more on a phone.
import assert from "node:assert";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";

const alone = /(?:[>~+]\s*|(?<![,(])\s)\*?(?::not\((?:[^()]|\([^()]*\))*)?:has\(/;

test("no :has() means any element", () => {
  for (const file of readdirSync(import.meta.dirname).filter((name) => name.endsWith(".css"))) {
    const text = readFileSync(`${import.meta.dirname}/${file}`, "utf8").replace(/\/\*.*?\*\//gs, "");
    for (const [, selectors] of text.matchAll(/([^{};]+)\{/g)) {
      if (!selectors.trim().startsWith("@")) assert(!alone.test(selectors.trim()), `${file}: ${selectors.trim()}`);
    }
  }
});

test("such a rule is found", () => {
  for (const bad of [".log > :not(:has(.question))", ".log > :has(b)", ".log :not(.a, :has(b))", "p + *:has(b)"]) assert(alone.test(bad), bad);
  for (const good of [".log > li:not(:has(b))", ".a:is(:target, :has(b)) c", "&:has(b)", ".a:not(:has(b))"]) assert(!alone.test(good), good);
});
