//go:build !windows

package main

import "os"

func environ() []string { return os.Environ() }
