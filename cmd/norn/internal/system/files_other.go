//go:build !unix

package system

import "math"

// MostFiles returns the number of files and connections that this process may have open. Here it is
// unknown.
func MostFiles() int { return math.MaxInt }

// FindForeign finds nothing: permissions mean something else here.
func FindForeign(...string) (path, owner, self string) { return "", "", "" }

// BoundMemory does nothing on this system.
func BoundMemory() {}
