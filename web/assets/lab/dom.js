// make makes an element with attributes, listeners (onclick) and children.
export function make(name, attributes = {}, ...inner) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value != null) element.setAttribute(key, value);
  }
  element.append(...inner.filter((one) => one != null && one !== false));
  return element;
}

// fill puts values into the places of a text: "{n} rows".
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
