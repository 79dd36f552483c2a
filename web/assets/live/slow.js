// A page that has waited five seconds for an answer says why that may be. The browser can't say:
// a request that waits for one of its six connections looks like any other.
const patience = 5_000; // ms
let late = 0; // requests that have waited for so long

const show = (more) => {
  late += more;
  const why = document.getElementById("live-why");
  if (why) why.hidden = late === 0;
};

// waits is called when a request begins, and what it returns when its answer does, or it fails.
export function waits() {
  let over = () => {};
  const timer = setTimeout(() => {
    show(1);
    over = () => show(-1);
  }, patience);
  return () => {
    clearTimeout(timer);
    over();
    over = () => {};
  };
}

const requests = new WeakMap();
document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => requests.set(ctx, waits()));
for (const end of ["htmx:before:response", "htmx:finally:request"]) {
  document.addEventListener(end, ({ detail: { ctx } }) => requests.get(ctx)?.());
}
