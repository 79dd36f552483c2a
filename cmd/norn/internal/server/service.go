package server

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"norn/cmd/norn/internal/cli"
)

// serviceMark is the first line of a file that norn wrote, and so may replace and remove.
const serviceMark = "Written by norn service install."

// userService is a norn that runs in the background for one user.
type userService struct {
	path  string // of its file
	text  string
	start []string // commands that start it now and at each login
	stop  []string
	more  string // a command that lets it run while nobody is logged in, "" for none
}

// ServiceCommand writes and removes the user's service.
func ServiceCommand(p *cli.Program) *cobra.Command {
	c := p.Group("service "+p.Say("norn.metavar.command"), "norn.about.service", "norn.error.missing-command",
		"norn.error.unknown-command")
	c.Long = p.Say("norn.about.service") + "\n\n" + p.Say("norn.about.service-more")
	install := p.Command("install", "norn.about.service-install")
	settings := cli.TextFlag{Metavar: p.Say("norn.metavar.file")}
	install.Flags().Var(&settings, configFlag, p.Say("norn.flag.config"))
	if err := install.MarkFlagFilename(configFlag, "toml"); err != nil {
		panic(err) // can't happen: the flag was just added
	}
	install.RunE = func(*cobra.Command, []string) error {
		serve := []string{"serve"}
		if settings.Given {
			var s serving
			if _, problems := configure(p, servingFlags(p, &s), &s, settings.Value); len(problems) > 0 {
				return &cli.Failure{Status: cli.Failed, Texts: problems, Hint: p.Say("norn.hint.config")}
			}
			path, err := filepath.Abs(settings.Value)
			if err != nil {
				return err
			}
			serve = append(serve, "--config", path)
		}
		s, err := serviceOf(p, runtime.GOOS, serve...)
		if err != nil {
			return err
		}
		return s.install(p)
	}
	remove := p.Command("remove", "norn.about.service-remove")
	remove.RunE = func(*cobra.Command, []string) error {
		s, err := serviceOf(p, runtime.GOOS)
		if err != nil {
			return err
		}
		return s.remove(p)
	}
	c.AddCommand(install, remove)
	return c
}

// serviceOf returns the service that runs this norn with arguments, for a system (GOOS).
func serviceOf(p *cli.Program, system string, args ...string) (*userService, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	home, config := p.Getenv("HOME"), p.Getenv("XDG_CONFIG_HOME")
	if config == "" {
		config = filepath.Join(home, ".config")
	}
	command := append([]string{program}, args...)
	switch system {
	case "linux":
		return &userService{
			path:  filepath.Join(config, "systemd", "user", "norn.service"),
			text:  systemdUnit(command),
			start: []string{"systemctl --user daemon-reload", "systemctl --user enable --now norn"},
			stop:  []string{"systemctl --user disable --now norn"},
			more:  "loginctl enable-linger",
		}, nil
	case "darwin":
		path := filepath.Join(home, "Library", "LaunchAgents", "norn.plist")
		return &userService{
			path:  path,
			text:  launchdAgent(command, filepath.Join(home, "Library", "Logs", "norn.log")),
			start: []string{"launchctl bootstrap gui/$(id -u) " + quoteForShell(path)},
			stop:  []string{"launchctl bootout gui/$(id -u)/norn"},
		}, nil
	}
	return nil, p.Fails("norn.error.service-system")
}

// quoteForShell quotes a path for a shell.
func quoteForShell(path string) string { return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'" }

// systemdUnit returns a unit for the user's systemd.
func systemdUnit(command []string) string {
	escape := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "$", "$$")
	quoted := make([]string, len(command))
	for i, part := range command {
		quoted[i] = `"` + escape.Replace(part) + `"`
	}
	return `# ` + serviceMark + `
[Unit]
Description=norn, a table for role-playing games

[Service]
ExecStart=` + strings.Join(quoted, " ") + `
Restart=on-failure
RestartSec=2
TimeoutStopSec=20

[Install]
WantedBy=default.target
`
}

// launchdAgent returns an agent for launchd.
func launchdAgent(command []string, log string) string {
	text := func(plain string) string {
		var b bytes.Buffer
		_ = xml.EscapeText(&b, []byte(plain)) // a buffer never fails
		return "<string>" + b.String() + "</string>"
	}
	var arguments string
	for _, part := range command {
		arguments += "\t\t" + text(part) + "\n"
	}
	return `<?xml version="1.0" encoding="UTF-8"?>
<!-- ` + serviceMark + ` -->
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>norn</string>
	<key>ProgramArguments</key>
	<array>
` + arguments + `	</array>
	<key>RunAtLoad</key>
	<true/>
	<key>KeepAlive</key>
	<dict>
		<key>SuccessfulExit</key>
		<false/>
	</dict>
	<key>StandardErrorPath</key>
	` + text(log) + `
</dict>
</plist>
`
}

// own reports whether the file exists, and whether norn wrote it or may create it.
func (s *userService) own() (there, own bool, err error) {
	had, err := os.ReadFile(s.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, true, nil
	}
	return err == nil, bytes.Contains(had, []byte(serviceMark)), err
}

func (s *userService) install(p *cli.Program) error {
	_, own, err := s.own()
	if err != nil {
		return err
	}
	if !own {
		return p.Fails("norn.error.service-other", "Path", s.path)
	}
	if err := os.MkdirAll(filepath.Dir(s.path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(s.path, []byte(s.text), 0o644); err != nil {
		return err
	}
	fmt.Fprintln(p.Out, p.Say("norn.service.written", "Path", s.path))
	s.show(p, "norn.service.start", s.start...)
	if s.more != "" {
		s.show(p, "norn.service.linger", s.more)
	}
	return nil
}

func (s *userService) remove(p *cli.Program) error {
	there, own, err := s.own()
	switch {
	case err != nil:
		return err
	case !there:
		return p.Fails("norn.error.service-none", "Path", s.path)
	case !own:
		return p.Fails("norn.error.service-other", "Path", s.path)
	}
	s.show(p, "norn.service.stop", s.stop...)
	if err := os.Remove(s.path); err != nil {
		return err
	}
	fmt.Fprintln(p.Out, p.Say("norn.service.removed", "Path", s.path))
	return nil
}

func (s *userService) show(p *cli.Program, word string, commands ...string) {
	fmt.Fprintln(p.Out, p.Say(word))
	for _, c := range commands {
		fmt.Fprintln(p.Out, "  "+c)
	}
}
