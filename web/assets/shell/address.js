// replaceAddress changes what the address asks for without a visit. Firefox goes on resolving links
// to parts of the page by the address that it had when it first drew them, and would load that one:
// setting them anew makes it read them again.
export function replaceAddress(url) {
  history.replaceState(history.state, "", url);
  for (const link of document.querySelectorAll('a[href^="#"]')) link.setAttribute("href", link.getAttribute("href"));
}
