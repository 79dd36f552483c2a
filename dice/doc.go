// Package dice is chance as people hold it: pools, faces, the throwing of a die,
// plain notation ("4d6kh3+2", "7d10>=6") and dice that anybody can check.
//
// A face is a number 1…sides, and comes from one of three places:
//
//   - [Stream] is a seeded generator. The seed alone gives every face again, in
//     any language: the algorithm is written out at [Stream], with vectors in testdata.
//   - [Secret] and [Key] make fair dice: the house commits to a secret before it
//     knows the players' shares, and each part of a move gets a seed of its own.
//   - [Hand] is faces typed in from dice on a real table.
//
// Laws and odds of pools are not here; neither are words for people. Errors are
// typed and carry what somebody needs to word them in any language; their English
// text is for logs.
//
// The package imports the standard library only, starts no goroutines, reads no
// clock, and takes all its entropy from its callers. Values may be shared between
// goroutines; a *Stream and a *Hand may not.
package dice
