// Runs norn's engine, Go compiled to WebAssembly, apart from the page, so that the page can end it at any moment.
import "go-wasm-exec";

async function start(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(answer.status);
  const type = "application/wasm";
  // A browser keeps what it has compiled of an answer that it unpacks itself; a site of plain files doesn't say that it's packed.
  const engine = answer.headers.get("Content-Type") === type ? answer
    : new Response(answer.body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": type } });
  const go = new Go();
  const { instance } = await WebAssembly.instantiateStreaming(engine, go.importObject);
  go.run(instance); // sets nornAnswer, and goes on for ever
}

let started;
addEventListener("message", async ({ data: { engine, id, question } }) => {
  try {
    await (started ??= start(engine));
    if (question) postMessage({ id, answer: JSON.parse(nornAnswer(JSON.stringify(question))) });
    else postMessage({ ready: true });
  } catch (error) {
    postMessage({ id, failed: String(error) });
  }
});
