// loadDeferred brings, once the page stands, what may come after it: script (later.js), and the styles of what isn't seen before
// it's opened, or printed, each in the place that it has in a page without script, so that a game's theme goes before or after it
// as there.
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
