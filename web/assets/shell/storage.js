// What a browser keeps: for one tab, or for all.

// read and write take no harm in a browser that keeps nothing. They are told a
// store's name, since one that is denied can't even be named.
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
