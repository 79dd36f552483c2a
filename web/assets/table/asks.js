// forReader finds the questions that the reader is to answer: those that wait for their seat, and what
// the newest move asks its own character, where the reader has just made it in a player's place (log.js).
export const forReader = ".question[data-mine], [data-acted] .card[data-mine]:last-child .question[data-self]";

// first returns what has the focus of who turns to a question: the field that is wrong or the button below what was refused,
// otherwise the first field, or the heading of a question that has buttons alone.
export function first(question) {
  const field = (around) => around.querySelector(":is(select, input:not([type=hidden]), textarea):not(details:not([open]) *)");
  const wrong = question.querySelector(".field-wrong");
  const found = wrong ? field(wrong) : question.querySelector(".problem") ? question.querySelector(".actions [type=submit]") : field(question);
  if (!found) {
    const head = question.querySelector("h2, h3, h4");
    head.tabIndex = -1;
    return head;
  }
  return found.type === "radio" ? found.form.querySelector(`[name="${CSS.escape(found.name)}"]:checked`) ?? found : found;
}
