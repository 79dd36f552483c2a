//go:build !linux

package pgtest

import "syscall"

// somebody returns the user that runs the tests.
func somebody() (*syscall.SysProcAttr, func(path string) error, error) {
	return nil, func(string) error { return nil }, nil
}
