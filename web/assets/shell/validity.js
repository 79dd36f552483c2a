// What a form lacks is said in the page's language: browsers say it in their own.
function message({ validity, min, max }) {
  const { needed, number, range } = document.body.dataset;
  if (validity.valueMissing) return needed;
  if (validity.badInput || validity.stepMismatch) return number;
  if (validity.rangeUnderflow || validity.rangeOverflow) return range.replace("{min}", min).replace("{max}", max);
  return "";
}

addEventListener("invalid", ({ target }) => {
  target.setCustomValidity("");
  if (!target.validity.valid) target.setCustomValidity(message(target));
}, true);

// What was said holds until the field changes, or somebody tries again.
const forget = (field) => { if (field.validity?.customError) field.setCustomValidity(""); };
addEventListener("input", ({ target }) => forget(target), true);
addEventListener("click", ({ target }) => {
  for (const field of target.closest?.("button, input[type=submit]")?.form?.elements ?? []) forget(field);
}, true);

// A press selects a table's default name, so that typing replaces it.
document.getElementById("name")?.addEventListener("click", ({ target }) => { if (target.value === target.defaultValue) target.select(); });
