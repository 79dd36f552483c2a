//go:build !unix

package system

import "math"

// MostFiles is how many files and connections this process may have open at once: nobody says.
func MostFiles() int { return math.MaxInt }

// BoundMemory does nothing where nothing can be done.
func BoundMemory() {}
