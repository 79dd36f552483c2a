// Package distribution holds exact finite laws: what a pool of dice can show, seen
// through one view, with integer weights.
//
// Promised: weights are integers, two words while they fit and big beyond; a
// law's weights are positive and sum to its total exactly; the order of values
// is fixed by the view, so two calls give equal laws. No float is used.
//
// The package imports dice and the standard library only. It starts no
// goroutine and keeps no state.
package distribution
