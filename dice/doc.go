// Package dice throws dice: pools, faces, plain notation ("4d6kh3+2", "7d10>=6") and dice whose
// fairness anybody can verify.
//
// A face is a number 1…sides, and comes from one of three sources:
//
//   - [Stream] is a seeded generator. The seed alone reproduces every face, in any language: the
//     algorithm is described at [Stream], with test vectors in testdata.
//   - [Secret] and [Key] make fair dice: the house commits to a secret before it knows the
//     players' shares, and each part of a move gets its own seed.
//   - [Hand] holds faces typed in from dice on a real table.
//
// Probabilities are in package distribution, texts for people in package lang. Errors are typed and
// hold what is needed to word them in any language; their English text is for logs.
//
// The package imports only the standard library, starts no goroutines, reads no clock, and takes
// all its entropy from its callers. Values may be shared between goroutines, except a *Stream or a
// *Hand.
package dice
