// Package version says which norn this is.
package version

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// released is the version that a release is built as; elsewhere it's empty.
var released string

// Version is what this norn was built from. Commit, Date and Changed are there only where the build knew of them.
type Version struct {
	Version string    `json:"version"` // "0.1.0", what Go makes of a commit, or "devel"
	Commit  string    `json:"commit,omitempty"`
	Date    time.Time `json:"date,omitzero"`     // of the commit
	Changed bool      `json:"changed,omitempty"` // since the commit
	Go      string    `json:"go"`
	OS      string    `json:"os"`
	Arch    string    `json:"arch"`
}

// Built reads what the linker left in the binary.
func Built() Version {
	v := Version{Version: "devel", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	if info, ok := debug.ReadBuildInfo(); ok {
		if made := info.Main.Version; made != "" && made != "(devel)" {
			v.Version = strings.TrimPrefix(made, "v")
		}
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				v.Commit = s.Value
			case "vcs.time":
				v.Date, _ = time.Parse(time.RFC3339, s.Value) // none at all is said as none
			case "vcs.modified":
				v.Changed = s.Value == "true"
			}
		}
	}
	if released != "" {
		v.Version = released
	}
	return v
}

// String is a line for people.
func (v Version) String() string {
	from := ""
	if v.Commit != "" {
		from = fmt.Sprintf("%.12s of %s, ", v.Commit, v.Date.Format(time.DateOnly))
	}
	if v.Changed {
		from += "changed, "
	}
	return fmt.Sprintf("norn %s (%s%s, %s/%s)", v.Version, from, v.Go, v.OS, v.Arch)
}
