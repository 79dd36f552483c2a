// forReader finds the questions that the reader is to answer: those that wait for their seat, and what
// the newest move asks its own character, where the reader has just made it in a player's place (log.js).
export const forReader = ".question[data-mine], [data-acted] .card[data-mine]:last-child .question[data-self]";
