package judge

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// differ compares two lists and returns a line for each different item: − if only the first has it,
// + if only the other has it; "" if they are equal. A diff library would add five megabytes to the
// command, because of reflection.
func differ[T any](want, got []T) string {
	if len(want) == len(got) && (len(want) == 0 || reflect.DeepEqual(want, got)) {
		return ""
	}
	a, b := linesOf(want), linesOf(got)
	common := make([][]int, len(a)+1) // length of the longest common subsequence of a[i:] and b[j:]
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			common[i][j] = max(common[i+1][j], common[i][j+1])
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			}
		}
	}
	var out strings.Builder
	line := func(mark, text string) { fmt.Fprintf(&out, "%s %s\n", mark, text) }
	for i, j := 0, 0; i < len(a) || j < len(b); {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			line(" ", a[i])
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			line("−", a[i])
			i++
		default:
			line("+", b[j])
			j++
		}
	}
	return out.String()
}

func linesOf[T any](list []T) []string {
	lines := make([]string, len(list))
	for i, item := range list {
		if text, ok := any(item).(string); ok {
			lines[i] = text
			continue
		}
		data, err := json.Marshal(item)
		lines[i] = string(data)
		if err != nil {
			lines[i] = fmt.Sprint(item)
		}
	}
	return lines
}
