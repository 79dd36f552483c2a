package agent

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	atCharacter = "norn://characters/"
	atMove      = "norn://moves/"
)

// addResources adds the resources: the table, each sheet and each move.
func (s *Seat) addResources(server *mcp.Server) {
	server.AddResource(&mcp.Resource{
		URI: "norn://table", Name: "table", Description: "the table as your seat sees it",
		MIMEType: "application/json",
	},
		func(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			look, err := s.here(ctx, "GET", "", nil, nil)
			return read(r.Params.URI, look, err)
		})
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: atCharacter + "{id}", Name: "character",
		Description: "a character's sheet as your seat sees it", MIMEType: "application/json",
	},
		func(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			v, _, refused, err := s.lookAtGame(ctx)
			if err == nil && !refused.isRefusal() {
				refused = one(v.Characters, strings.TrimPrefix(r.Params.URI, atCharacter))
			}
			return read(r.Params.URI, refused, err)
		})
	server.AddResourceTemplate(&mcp.ResourceTemplate{
		URITemplate: atMove + "{id}", Name: "move",
		Description: "a move: the JSON Schema of its arguments, how it can come out", MIMEType: "application/json",
	},
		func(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			_, game, refused, err := s.lookAtGame(ctx)
			if err == nil && !refused.isRefusal() {
				refused = one(game.Moves, strings.TrimPrefix(r.Params.URI, atMove))
			}
			return read(r.Params.URI, refused, err)
		})
}

// one returns the element with an id, or nothing.
func one(elements []json.RawMessage, id string) told {
	for _, e := range elements {
		if elementID(e) == id {
			return told{200, e}
		}
	}
	return told{}
}

func read(uri string, t told, err error) (*mcp.ReadResourceResult, error) {
	switch {
	case err != nil:
		return nil, err
	case t.body == nil || t.isRefusal():
		return nil, mcp.ResourceNotFoundError(uri)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{
		URI: uri, MIMEType: "application/json",
		Text: string(t.body),
	}}}, nil
}
