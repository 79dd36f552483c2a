package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"path"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"norn/agent"
	"norn/cmd/norn/internal/cli"
	"norn/cmd/norn/internal/version"
	"norn/internal/nesting"
	"norn/lang"
)

// linkVariable is the variable with the link to a seat. The link is a secret and can't be a flag.
const linkVariable = "NORN_SEAT_LINK"

// answerTime limits the time of norn's answer to an agent.
const answerTime = time.Minute

func mcpCommand(p *cli.Program) *cobra.Command {
	c := p.Command("mcp "+p.Say("norn.metavar.flags"), "norn.about.mcp")
	c.Long = p.Say("norn.about.mcp") + "\n\n" + p.Say("norn.about.mcp-more", "Variable", linkVariable)
	c.Example = "norn mcp --link seat.txt"
	link := linkFlag(p, c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		seat, err := seatOf(p, *link, c.CommandPath())
		if err != nil {
			return err
		}
		if !c.Flag("lang").Changed {
			seat.Lang = "" // the table's, whatever this machine speaks
		}
		return sitAgent(c.Context(), p, seat)
	}
	return c
}

// linkFlag lets a command take the link to a seat from a file.
func linkFlag(p *cli.Program, c *cobra.Command) *cli.TextFlag {
	link := &cli.TextFlag{Metavar: p.Say("norn.metavar.file")}
	c.Flags().Var(link, "link", p.Say("norn.flag.link", "Variable", linkVariable))
	if err := c.MarkFlagFilename("link"); err != nil {
		panic(err) // can't happen: the flag was just added
	}
	return link
}

// seatOf returns the seat of the link in the file, or in the variable. A missing link's hint names the command.
func seatOf(p *cli.Program, file cli.TextFlag, command string) (*agent.Seat, error) {
	text := p.Getenv(linkVariable)
	if file.Given {
		data, err := os.ReadFile(file.Value)
		if err != nil {
			return nil, p.Fails("norn.error.link-file", "File", file.Value, "Text", cli.Cause(err))
		}
		text = lang.TextOf(data)
	}
	if text = strings.TrimSpace(text); text == "" {
		return nil, p.Wrong("norn.error.link-missing", "Variable",
			linkVariable).Hinting(p.Say("norn.hint.help", "Command", command+" --help"))
	}
	at, err := url.Parse(text)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" || at.Host == "" {
		return nil, p.Wrong("norn.error.link-syntax")
	}
	parts := strings.Split(strings.Trim(at.Path, "/"), "/")
	if len(parts) < 3 || parts[len(parts)-3] != "t" {
		return nil, p.Wrong("norn.error.link-syntax")
	}
	table, secret := parts[len(parts)-2], parts[len(parts)-1]
	base := &url.URL{Scheme: at.Scheme, Host: at.Host, Path: path.Join("/", path.Join(parts[:len(parts)-3]...))}
	carrier := http.DefaultTransport.(*http.Transport).Clone()
	carrier.ResponseHeaderTimeout = answerTime
	return &agent.Seat{API: carrier, Base: base, Table: table, Secret: secret, Lang: string(p.Lang())}, nil
}

// sitAgent serves an agent's program over the standard streams until it disconnects.
func sitAgent(ctx context.Context, p *cli.Program, seat *agent.Seat) error {
	server := seat.Server(version.Built().Version)
	err := server.Run(ctx, &mcp.IOTransport{Reader: io.NopCloser(nesting.Reader(p.In)), Writer: unclosed{p.Out}})
	if err == nil || errors.Is(err, io.EOF) || ctx.Err() != nil {
		return nil
	}
	return p.Fails("norn.error.mcp", "Text", err.Error())
}

// unclosed is an output that isn't closed by its writer.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }
