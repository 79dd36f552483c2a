package system

import (
	"os"

	"golang.org/x/sys/windows"
)

// Environ returns the environment. If it names no language, Environ adds that of Windows.
func Environ() []string {
	env := os.Environ()
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if os.Getenv(name) != "" {
			return env
		}
	}
	if names, err := windows.GetUserPreferredUILanguages(windows.MUI_LANGUAGE_NAME); err == nil && len(names) > 0 {
		env = append(env, "LANG="+names[0]) // such as ru-RU
	}
	return env
}
