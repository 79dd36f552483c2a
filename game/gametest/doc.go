// Package gametest tests a game: with cases written as transcripts, and with the properties that
// every move of every game must have.
//
// A game's test calls Run in its own folder, which holds testdata/cases/*.txt and the rules'
// source. A case reads:
//
//	# SP-05 SP-02: two steps down from a ten is a success at a cost
//	move check {"difficulty": 2}
//	dice 10
//	> throw pool 1d10: 10
//	> outcome success-at-cost
//
// The heading names the rule ids that the case covers. The lines of a case are
//
//	character ID KIND {sheet}      a character at the table; its id is its name
//	settings {…}                   the table's settings
//	move ID [by CHARACTER] {args}  bare, or at a table by a character
//	dice FACE …                    all faces, in the order in which the rule asks
//	answer QUESTION [PART] {…}     the next answer; PART if the question is open in several parts
//
// and lines with > are what must happen; go test -update rewrites them.
package gametest
