// Package version returns the version of this norn.
package version

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"time"
)

// released is the version of a release, set by its build. It is empty in other builds.
var released string

// Version describes the build of this norn. Commit, Date and Changed are set only if the build knew
// them.
type Version struct {
	Version string    `json:"version"` // "0.1.0", Go's version of a commit, or "devel"
	Commit  string    `json:"commit,omitempty"`
	Date    time.Time `json:"date,omitzero"`     // of the commit
	Changed bool      `json:"changed,omitempty"` // since the commit
	Go      string    `json:"go"`
	OS      string    `json:"os"`
	Arch    string    `json:"arch"`
}

// Built reads the build information in the binary.
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
				v.Date, _ = time.Parse(time.RFC3339, s.Value) // the zero time means that there is none
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

// String returns a line for people.
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
