// Script fills in controls that the reader didn't touch: an option that is no longer offered gives way, and what was typed
// before a reload comes back. Who listens to input takes that for input, too, but no error message goes by it.
export const unasked = "unasked";

export const filled = () => new CustomEvent("input", { bubbles: true, detail: unasked });
