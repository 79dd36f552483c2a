package widget

import (
	"bytes"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// described renders descriptions by people: goldmark passes no HTML through, pictures become their
// text, so that nothing is fetched, and headings are bold, since they are inside a sheet's.
var described = goldmark.New(goldmark.WithRendererOptions(
	renderer.WithNodeRenderers(util.Prioritized(plainNodes{}, 100)),
))

// markdown returns a description as HTML.
func markdown(text string) string {
	var out bytes.Buffer
	_ = described.Convert([]byte(text), &out) // a buffer takes everything
	return out.String()
}

// plainNodes renders pictures and headings plainly.
type plainNodes struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (plainNodes) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindImage, func(util.BufWriter, []byte, ast.Node, bool) (ast.WalkStatus, error) {
		return ast.WalkContinue, nil
	})
	r.Register(ast.KindHeading, func(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
		tag := "</b></p>\n"
		if entering {
			tag = "<p><b>"
		}
		_, err := w.WriteString(tag)
		return ast.WalkContinue, err
	})
}
