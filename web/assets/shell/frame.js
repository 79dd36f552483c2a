// beforeFrame returns a function that runs another once before the next frame, however often it is called until then. What
// looks at the page's layout runs there, where it costs nothing: anywhere else the page is laid out once more for it.
export function beforeFrame(run) {
  let due = false;
  return () => {
    if (due) return;
    due = true;
    requestAnimationFrame(() => {
      due = false;
      run();
    });
  };
}
