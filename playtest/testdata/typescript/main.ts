// Opens a table, makes a check and answers its question, through types generated from the document of
// norn's API.
declare const process: { argv: string[] };
import createClient from "openapi-fetch";
import type { paths } from "./norn.js";

const client = createClient<paths>({ baseUrl: process.argv[2] });

function fail(what: string, error: unknown): never {
	throw new Error(`${what}: ${JSON.stringify(error)}`);
}

const opened = await client.POST("/api/v1/tables", { body: { game: "spire", name: "Generated" } });
if (!opened.data) fail("opening a table", opened.error);
const headers = { Authorization: `Bearer ${opened.data.seat.secret}` };
const path = { id: opened.data.id };

const added = await client.POST("/api/v1/tables/{id}/characters", {
	params: { path }, headers, body: { kind: "character", name: "Vex" },
});
if (!added.data) fail("adding a character", added.error);

const made = await client.POST("/api/v1/tables/{id}/moves", {
	params: { path }, headers, body: { move: "check", character: added.data.id, dice: [1] },
});
const question = made.data?.open?.[0];
if (!question) fail("a check", made.error);

const answered = await client.POST("/api/v1/tables/{id}/answers", {
	params: { path }, headers, body: { question: question.id, answer: { die: "d6", resistance: "blood" } },
});
if (!answered.data) fail("its question", answered.error);
console.log("played", path.id);
