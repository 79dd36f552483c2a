// Script fills in controls that the reader didn't touch: it replaces an option that is no longer offered, and restores what
// was typed before a reload. Listeners to input take that for input, too, but it doesn't remove error messages.
export const unasked = "unasked";

export const filled = () => new CustomEvent("input", { bubbles: true, detail: unasked });
