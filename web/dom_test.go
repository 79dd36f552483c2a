package web_test

import (
	"encoding/xml"
	"errors"
	"io"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// node is an element of a page, with what the tests look at.
type node struct {
	tag   string
	attrs map[string]string
	kids  []*node
	text  string // of this element alone
	up    *node
}

// parse reads a page or a part of one.
func parse(t testing.TB, page string) *node {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(page))
	d.Strict, d.AutoClose, d.Entity = false, append([]string{"path", "rect", "circle"}, xml.HTMLAutoClose...),
		xml.HTMLEntity
	root := &node{tag: "root"}
	at := root
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return root
		}
		if err != nil {
			t.Fatalf("page can't be read: %v\n%s", err, page)
		}
		switch token := token.(type) {
		case xml.StartElement:
			n := &node{tag: token.Name.Local, attrs: map[string]string{}, up: at}
			for _, a := range token.Attr {
				n.attrs[a.Name.Local] = a.Value
			}
			at.kids = append(at.kids, n)
			at = n
		case xml.EndElement:
			if at.up != nil {
				at = at.up
			}
		case xml.CharData:
			at.text += string(token)
			at.kids = append(at.kids, &node{text: string(token), up: at})
		}
	}
}

// all returns the elements for which want holds, in the order of the page.
func (n *node) all(want func(*node) bool) []*node {
	var found []*node
	for _, kid := range n.kids {
		if kid.tag != "" && want(kid) {
			found = append(found, kid)
		}
		found = append(found, kid.all(want)...)
	}
	return found
}

// with returns the elements that have an attribute, with this value unless it is "*".
func (n *node) with(name, value string) []*node {
	return n.all(func(n *node) bool {
		have, ok := n.attrs[name]
		return ok && (value == "*" || have == value)
	})
}

// the returns the only element that has an attribute with this value.
func (n *node) the(t testing.TB, name, value string) *node {
	t.Helper()
	found := n.with(name, value)
	if len(found) != 1 {
		t.Fatalf("%d elements have %s=%q, want one", len(found), name, value)
	}
	return found[0]
}

// invitation returns the only link that is shown for sending.
func (n *node) invitation(t testing.TB) *node {
	t.Helper()
	found := n.all(func(n *node) bool { return strings.HasPrefix(n.attrs["id"], "invitation-") })
	if len(found) != 1 {
		t.Fatalf("%d invitations, want one", len(found))
	}
	return found[0]
}

// piece returns the only part with this target.
func (n *node) piece(t testing.TB, target string) *node {
	t.Helper()
	found := n.all(func(n *node) bool { return n.tag == "hx-partial" && n.attrs["hx-target"] == target })
	if len(found) != 1 {
		t.Fatalf("%d pieces go to %s, want one", len(found), target)
	}
	return found[0]
}

// says returns all text of an element, with single spaces.
func (n *node) says() string {
	var b strings.Builder
	var collect func(*node)
	collect = func(n *node) {
		if n.tag == "" {
			b.WriteString(n.text + " ")
		}
		for _, kid := range n.kids {
			collect(kid)
		}
	}
	collect(n)
	return strings.Join(strings.Fields(b.String()), " ")
}

func (n *node) is(class string) bool {
	return slices.Contains(strings.Fields(n.attrs["class"]), class)
}

// sends returns what a form posts if nothing in it was changed.
func (n *node) sends() url.Values {
	values := url.Values{}
	for _, c := range n.with("name", "*") {
		name, value := c.attrs["name"], c.attrs["value"]
		_, checked := c.attrs["checked"]
		switch {
		case c.tag == "button":
		case c.tag == "textarea":
			values.Add(name, c.text)
		case c.tag == "select":
			chosen := ""
			for i, o := range c.all(func(n *node) bool { return n.tag == "option" }) {
				if _, on := o.attrs["selected"]; on || i == 0 {
					chosen = o.attrs["value"]
				}
			}
			values.Add(name, chosen)
		case c.attrs["type"] == "checkbox" || c.attrs["type"] == "radio":
			if checked {
				values.Add(name, value)
			}
		default:
			values.Add(name, value)
		}
	}
	return values
}
