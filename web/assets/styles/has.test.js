// A rule whose :has() isn't attached to a tag or class ("> :has(…)", "> :not(:has(…))") may mean any element. Each change
// then makes the browser check the whole page again, which takes 30 ms instead of 2, and more on a phone.
import assert from "node:assert";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";

const alone = /(?:[>~+]\s*|(?<![,(])\s)\*?(?::not\((?:[^()]|\([^()]*\))*)?:has\(/;

// common reports whether a selector is of a tag that a page has hundreds of, and of nothing else, below an element with :has().
// Whatever changes on the page then has the browser compute the styles of all of them.
function common(selector) {
  let depth = 0, last = -1;
  for (const [i, sign] of [...selector].entries()) {
    if (sign === "(" || sign === "[") depth++;
    else if (sign === ")" || sign === "]") depth--;
    else if (depth === 0 && " >+~".includes(sign)) last = i;
  }
  return selector.slice(0, last + 1).includes(":has(") && /^(a|p|span|summary)(::?[\w-]+(\(.*\))?)*$/.test(selector.slice(last + 1));
}

test("no :has() means any element, or most", () => {
  for (const file of readdirSync(import.meta.dirname).filter((name) => name.endsWith(".css"))) {
    const text = readFileSync(`${import.meta.dirname}/${file}`, "utf8").replace(/\/\*.*?\*\//gs, "");
    for (const [, selectors] of text.matchAll(/([^{};]+)\{/g)) {
      if (selectors.trim().startsWith("@")) continue;
      assert(!alone.test(selectors.trim()), `${file}: ${selectors.trim()}`);
      for (const one of selectors.split(/,(?![^(]*\))/)) assert(!common(one.trim()), `${file}: ${one.trim()}`);
    }
  }
});

test("such a rule is found", () => {
  for (const bad of [".log > :not(:has(.question))", ".log > :has(b)", ".log :not(.a, :has(b))", "p + *:has(b)"]) assert(alone.test(bad), bad);
  for (const good of [".log > li:not(:has(b))", ".a:is(:target, :has(b)) c", "&:has(b)", ".a:not(:has(b))"]) assert(!alone.test(good), good);
  for (const bad of [".cast:has(.dot) > details:not([open]) > summary::after", ".note:has(> b) > span:first-child", ".table:has([data-invite]):not(:has(.x)) a"]) assert(common(bad), bad);
  for (const good of [".note:has(> b) > .text", ".note span", "a:has(b)", ".a:has(> span)", ".a:has(b) #throw"]) assert(!common(good), good);
});
