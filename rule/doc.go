// Package rule runs rules. A rule is straight-line Go code over a Run: it
// throws dice, asks people and tells what changed, and never knows where its
// chance and its answers come from:
//
//   - Play with a Source and no policy is a live run; a question nobody has
//     answered yet stops it, and it stays open in the result;
//   - Play with dice typed in (ByHand) judges a throw on a real table;
//   - Play with a trail and no Source is the record run again;
//   - Simulate throws fast and keeps nothing;
//   - Walk goes through every branch of chance and returns the exact law;
//   - Ahead does so from where a run stands, with the best choices for an aim.
//
// # The trail
//
// A live run keeps a trail: the faces thrown and the answers given, in order.
// When an answer comes, the rule runs again from its start over the trail and
// goes on. Nothing else about a rule in progress is kept. Throws, answers and
// events are keyed by their place: which part, and which one in it. So a rule
// that runs again tells nothing twice, whichever question was answered first.
//
// # What a rule must keep to
//
// Given the same trail a rule does the same: no clock, no randomness, no I/O
// of its own, no state outside its variables. What a Part or a part of a
// Together does is seen outside only through the result it returns: an exact
// walk runs it apart from the rest and merges equal results. Parts run
// together must commute.
//
// Stopping at a question unwinds the rule by a private panic that never
// leaves this package. A rule must not recover from it.
//
// The package imports dice, form and distribution, and no other package of norn. It
// starts no goroutine; a Run belongs to one goroutine.
package rule
