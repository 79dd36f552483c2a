// loadDeferred brings the styles of what isn't seen before it's opened, or printed, once the page stands: each in the place that
// it has in a page without script, so that a game's theme goes before or after it as there.
export function loadDeferred() {
  const bring = () => {
    for (const place of document.querySelectorAll("meta[name=later]")) {
      const link = document.createElement("link");
      Object.assign(link, { rel: "stylesheet", href: place.content, media: place.media });
      place.replaceWith(link);
    }
  };
  if (document.readyState === "complete") bring();
  else addEventListener("load", bring, { once: true });
}
