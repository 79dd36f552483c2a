package system

import (
	"os"

	"golang.org/x/sys/windows"
)

// Environ is the environment, with the language that Windows speaks where none is in it.
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
