// Package system is what systems do differently: the environment's language,
// how many files may be open, how memory is bounded.
package system
