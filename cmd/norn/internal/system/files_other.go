//go:build !unix

package system

import "math"

// MostFiles returns the number of files and connections that this process may have open. Here it is
// unknown.
func MostFiles() int { return math.MaxInt }

// BoundMemory does nothing on this system.
func BoundMemory() {}
