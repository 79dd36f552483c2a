// events reads server-sent events as they come: {event, id, data, retry}, each only where it was sent. heard is called at
// each piece that comes, of a comment too.
export async function* events(body, heard) {
  const pieces = body.pipeThrough(new TextDecoderStream()).getReader();
  let begun = ""; // of a line
  let event = {};
  for (;;) {
    const { done, value } = await pieces.read();
    if (done) return;
    heard();
    const lines = (begun + value).split("\n");
    begun = lines.pop();
    for (const line of lines.map((text) => text.replace(/\r$/, ""))) {
      const [name] = line.split(":", 1);
      const said = line.slice(name.length + 1).replace(/^ /, "");
      if (name === "data" && "data" in event) event.data += `\n${said}`;
      else if (name) event[name] = said;
      else if (!line) {
        if ("data" in event) yield event;
        event = {};
      }
    }
  }
}
