package cli

import (
	"testing"

	"norn/lang"
)

func TestLanguageIsTakenFromFlagOrEnvironment(t *testing.T) {
	for _, c := range []struct {
		args []string
		env  []string
		want lang.Lang
	}{
		{nil, nil, lang.En},
		{nil, []string{"LANG=uk_UA.UTF-8"}, lang.Uk},
		{nil, []string{"LANG=uk_UA.UTF-8", "LC_ALL=ru_RU.UTF-8"}, lang.Ru},
		{nil, []string{"LANG=uk_UA.UTF-8", "LC_MESSAGES=C"}, lang.En},
		{[]string{"--lang", "ru", "games"}, []string{"LANG=uk_UA"}, lang.Ru},
		{[]string{"games", "--lang=uk"}, nil, lang.Uk},
		{[]string{"games", "--lang=fr"}, []string{"LANG=ru_RU"}, lang.Ru},
		{[]string{"--", "--lang=uk"}, nil, lang.En},
		{[]string{"games", "--lang"}, nil, lang.En},
	} {
		if got := Language(c.args, Getenv(c.env)); got != c.want {
			t.Errorf("language(%v, %v) = %s, want %s", c.args, c.env, got, c.want)
		}
	}
}
