package html

import (
	"bytes"
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/a-h/templ"
	dom "golang.org/x/net/html"
)

// Refill returns a page with a posted form filled in again and its error message; false if the page
// has no such form, or the form has nothing to fill in.
func Refill(ctx context.Context, page templ.Component, path string, sent url.Values, problem string) (templ.Component,
	bool,
) {
	var text bytes.Buffer
	if err := page.Render(ctx, &text); err != nil {
		return nil, false
	}
	root, err := dom.Parse(&text)
	if err != nil {
		return nil, false
	}
	for n := range root.Descendants() {
		if n.Data != "form" || !sends(n, path, sent) {
			continue
		}
		said := &dom.Node{
			Type: dom.ElementNode, Data: "p",
			Attr: []dom.Attribute{{Key: "class", Val: "problem"}, {Key: "role", Val: "alert"}},
		}
		said.AppendChild(&dom.Node{Type: dom.TextNode, Data: problem})
		n.AppendChild(said)
		for around := range n.Ancestors() {
			if around.Data == "details" {
				put(around, "open", "", true)
			}
		}
		if err := dom.Render(&text, root); err != nil {
			return nil, false
		}
		return templ.Raw(text.String()), true
	}
	return nil, false
}

// sends reports whether a form would post sent to a path, and fills it in.
func sends(form *dom.Node, path string, sent url.Values) bool {
	addresses := []string{of(form, "action")}
	var fields []*dom.Node
	for n := range form.Descendants() {
		switch name := of(n, "name"); {
		case n.Data == "button":
			addresses = append(addresses, of(n, "formaction"))
		case name == "" || name == Own+"key":
		case n.Data == "input" && of(n, "type") == "hidden":
			if of(n, "value") != sent.Get(name) {
				return false
			}
		case n.Data == "input" || n.Data == "select" || n.Data == "textarea":
			fields = append(fields, n)
		}
	}
	if len(fields) == 0 || !slices.ContainsFunc(addresses, func(to string) bool {
		before, _, _ := strings.Cut(to, "#")
		return before == path
	}) {
		return false
	}
	for _, field := range fields {
		fill(field, sent[of(field, "name")])
	}
	put(fields[0], "autofocus", "", true)
	return true
}

// fill sets the value of a field.
func fill(field *dom.Node, texts []string) {
	text := strings.Join(texts, "\n")
	switch kind := of(field, "type"); {
	case field.Data == "select":
		for option := range field.Descendants() {
			put(option, "selected", "", option.Data == "option" && slices.Contains(texts, of(option, "value")))
		}
	case field.Data == "textarea":
		for field.FirstChild != nil {
			field.RemoveChild(field.FirstChild)
		}
		field.AppendChild(&dom.Node{Type: dom.TextNode, Data: text})
	case kind == "checkbox" || kind == "radio":
		value := of(field, "value")
		if value == "" {
			value = "on"
		}
		put(field, "checked", "", slices.Contains(texts, value))
	case kind != "file":
		put(field, "value", text, true)
	}
}

// of returns an element's attribute, "" for none.
func of(n *dom.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// put sets an element's attribute, or removes it.
func put(n *dom.Node, name, value string, on bool) {
	n.Attr = slices.DeleteFunc(n.Attr, func(a dom.Attribute) bool { return a.Key == name })
	if on {
		n.Attr = append(n.Attr, dom.Attribute{Key: name, Val: value})
	}
}
