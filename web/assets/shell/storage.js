// What a browser keeps: for one tab, or for all.

// read and write never throw in a browser that keeps nothing. They take the store's
// name, since merely accessing a denied store throws.
export function read(store, name) {
  try {
    return JSON.parse(window[store].getItem(name));
  } catch {
    return null;
  }
}

export function write(store, name, value) {
  try {
    if (value === null || value.length === 0) window[store].removeItem(name);
    else window[store].setItem(name, JSON.stringify(value));
    return true;
  } catch {
    return false; // it is full, or not allowed
  }
}
