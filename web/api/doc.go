// Package api is norn's JSON API: tables, seats, characters, moves, answers, odds, the log and its live stream, for
// programs that play along. New makes its handler, to be mounted at /api/.
//
// Promised:
//
//   - Everything is made as a seat, whose secret stands in the header Authorization, and nothing is shown that this seat
//     may not see: answers are what package table made for it. No secret, a wrong or revoked one, and a table that
//     doesn't exist get the same answer.
//   - Bodies are strict JSON: what is unknown, missing, of another type, too long or not UTF-8 is refused, with its place.
//     Every error is an application/problem+json (see Problem), in the language that Accept-Language asks for. Whoever
//     gets one of 4xx knows that nothing was written.
//   - A request with a key can be repeated: the same seat, key and content give the same entry.
//   - The OpenAPI 3.1 document at /api/openapi.json describes all of it; nothing is loaded from another host.
//
// Beside what its name says, an operation follows these conventions. What is made gets 201; a move with open questions
// 202; anything else 200. PATCH takes JSON merge patches (RFC 7396) of a sheet or of settings, inside a body that also
// holds a key. POST …/moves/{mid}/show opens a secret move that has ended to everybody,
// POST …/characters/{cid}/show who was prepared hidden. DELETE …/seats/{sid} revokes a seat, POST …/seats/{sid}/secret gives it a new link; DELETE has no key, for
// who repeats it is told that there's nothing more. What an address names and isn't there is 404, for those at the table
// with the place "path.sid" or "path.cid". GET /api/v1/games needs no seat and tells what can be played, with the JSON
// Schema of every move's arguments and every sheet; the schema of an answer stands in its question.
//
// Each subject has a file, whose type serves it: it registers its operations, and handles them. What all have in common is the
// server's.
//
// The package imports table, odds, game, form and lang, never a single game and never a journal's driver. It starts
// goroutines for live streams alone: package stream's, which end with the stream, and, for as long as it takes to write
// them, those of a stream's "no news", which write nothing once it has ended.
package api
