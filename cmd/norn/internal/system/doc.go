// Package system handles differences between operating systems: the environment's language, the
// number of open files, the limit of memory.
package system
