package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// version is what this norn was built from. Revision and Modified are there
// only where the build knew of them.
type version struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

// built reads the version from what the linker left in the binary; a build from
// a checkout has none and is "devel".
func built() version {
	v := version{Version: "devel", Go: runtime.Version(), OS: runtime.GOOS, Arch: runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	if info.Main.Version != "" && info.Main.Version != "(devel)" {
		v.Version = info.Main.Version
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

func (p *program) versionCommand() *cobra.Command {
	c := p.command("version "+p.Say("norn.metavar.flags"), "norn.about.version")
	asJSON := c.Flags().Bool("json", false, p.Say("norn.flag.json"))
	c.RunE = func(*cobra.Command, []string) error {
		v := built()
		if *asJSON {
			return p.json(v)
		}
		fmt.Fprintf(p.out, "norn %s (%s, %s/%s)\n", v.Version, v.Go, v.OS, v.Arch)
		return nil
	}
	return c
}
