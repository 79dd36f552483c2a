//go:build !linux

package pgtest

import "syscall"

// somebody is whom the server runs as: who runs the tests.
func somebody() (*syscall.SysProcAttr, func(path string) error, error) {
	return nil, func(string) error { return nil }, nil
}
