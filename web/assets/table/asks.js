// forReader finds the questions that the reader is to answer: those that wait for their seat, and
// what the newest move asks its own character, where the reader made it in a player's place.
export const forReader = ".question[data-mine], .card[data-mine]:last-child .question[data-self]";
