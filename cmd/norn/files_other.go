//go:build !unix

package main

import "math"

// mostFiles is how many files and connections this process may have open at once: nobody says.
func mostFiles() int { return math.MaxInt }

// boundMemory does nothing where nothing can be done.
func boundMemory() {}
