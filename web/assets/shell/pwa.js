// norn as an installed app: a worker keeps the shell, and the page that it shows
// for a lost connection goes away by itself when the connection is there again.
import { base } from "./base.js";

export function pwa() {
  const { lang, dataset } = document.documentElement;
  if (dataset.worker && "serviceWorker" in navigator) {
    // After everything else, so that the worker finds the files in the browser's own cache.
    const tell = async () => {
      const { active } = await navigator.serviceWorker.ready;
      await document.fonts.ready; // or the worker asks for them again
      const files = [...document.querySelectorAll("link[rel=stylesheet], link[rel=preload], script[src]")].map((file) => new URL(file.href ?? file.src).pathname);
      const pages = [...document.querySelectorAll("main[data-kept] a")].map(({ pathname }) => pathname);
      if (pages.length) pages.push(location.pathname);
      active.postMessage({ offline: `${base}/offline/${lang}`, files, pages });
    };
    const register = async () => {
      try {
        if (navigator.serviceWorker.controller) navigator.serviceWorker.addEventListener("controllerchange", tell); // a newer one
        await navigator.serviceWorker.register(dataset.worker, { updateViaCache: "none" });
        await tell();
        if (document.getElementById("called-here") || localStorage.getItem(`called ${location.pathname}`)) (await import("./push.js")).begin();
      } catch {
        // A browser that keeps nothing.
      }
    };
    const idle = window.requestIdleCallback ?? ((then) => setTimeout(then, 200));
    const later = () => idle(register, { timeout: 5000 });
    if (document.readyState === "complete") later();
    else addEventListener("load", later);
  }

  if (!document.querySelector("[data-offline]")) return;
  const again = async () => {
    try {
      if ((await fetch(`${base}/healthz`, { cache: "no-store" })).ok) location.reload();
    } catch {
      // Still lost.
    }
  };
  setInterval(again, 2000);
  addEventListener("online", again);
}
