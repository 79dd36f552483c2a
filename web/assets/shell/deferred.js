// loadDeferred loads, once the page has loaded, what may come after it: script (later.js), and the styles of what isn't seen
// before it's opened, or printed. Each style goes where it is in a page without script, so that its order with a game's theme
// is the same.
export function loadDeferred() {
  const bring = () => {
    import("../later.js");
    for (const place of document.querySelectorAll("meta[name=later]")) {
      const link = document.createElement("link");
      Object.assign(link, { rel: "stylesheet", href: place.content, media: place.media });
      place.replaceWith(link);
    }
  };
  if (document.readyState === "complete") bring();
  else addEventListener("load", bring, { once: true });
}
