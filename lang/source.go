package lang

import "strings"

// TextOf returns the text of a file that people wrote or exported, without a byte order mark and
// with \n as line ends. Editors on Windows save both.
func TextOf(data []byte) string {
	return strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")
}
