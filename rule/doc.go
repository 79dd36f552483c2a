// Package rule runs rules. A rule is straight-line Go code over a Run: it throws dice, asks people
// and records what changed. It never knows where its dice and answers come from:
//
//   - Play with a Source and no policy is a live run. A question without an answer stops it and
//     stays open in the result.
//   - Play with typed dice (HandSource) evaluates a throw on a real table.
//   - Play with a trail and no Source replays the log.
//   - Simulate throws fast and stores nothing.
//   - Walk visits every branch of chance and returns the exact distribution.
//   - Lookahead does so from the current point of a run, with the best choices for an aim.
//
// # The trail
//
// A live run writes a trail: the faces thrown and the answers given, in order. When an answer
// arrives, the rule runs again from its start over the trail and continues. Nothing else about a
// rule in progress is stored. Throws, answers and events are identified by their place: a part and
// an index in it. So a rule that runs again records nothing twice, in whatever order questions are
// answered.
//
// # What a rule must do
//
// With the same trail a rule must do the same: it has no clock, no randomness or I/O of its own,
// and no state outside its variables. The rest of the rule may depend on a Part, or on a part of a
// Together, only through the result that it returns: an exact walk runs the part separately and
// merges equal results. Parts that run together must commute.
//
// Stopping at a question unwinds the rule by a private panic that never leaves this package. A rule
// must not recover from it.
//
// The package imports dice, form and distribution, and no other package of norn. It starts no
// goroutine; a Run belongs to one goroutine.
package rule
