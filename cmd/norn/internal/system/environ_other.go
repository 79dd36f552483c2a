//go:build !windows

package system

import (
	"os"
)

func Environ() []string { return os.Environ() }
