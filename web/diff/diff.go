// Package diff finds the elements in which two drawings of one part of a page differ, so that of much that stays little is told.
// It keeps of a drawing hashes alone, and reads what templates write, not any HTML; keys of forms, which are others each time,
// make no difference. It imports nothing of norn and starts no goroutine.
package diff

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strconv"
)

// Tree is a drawing by its larger elements: each of them with those in it.
type Tree struct {
	own      uint64 // hash of what isn't in those
	at       int    // its number among its siblings, from 1
	from, to int    // where it stands in the text
	parts    []Tree
}

// least is how long an element is, in bytes, that is told by itself.
const least = 250

// Part is an element that is another: where it stands, for CSS, and in the text that was read.
type Part struct {
	At       string
	From, To int
}

// Since are the elements that are others than they were; whole tells that all of it is. The text stands inside the place at, or
// is that place itself.
func (t *Tree) Since(was *Tree, at string, inside bool) (parts []Part, whole bool) {
	placed := func(x, y Tree) bool { return x.at == y.at }
	if was.own != t.own || !slices.EqualFunc(was.parts, t.parts, placed) {
		return nil, true
	}
	for i, part := range t.parts {
		to := at
		if inside {
			to += ">:nth-child(" + strconv.Itoa(part.at) + ")"
		}
		deeper, whole := part.Since(&was.parts[i], to, true)
		if whole {
			deeper = []Part{{to, part.from, part.to}}
		}
		parts = append(parts, deeper...)
	}
	return parts, false
}

// Read reads what templates have written, all of it as the inside of one element; nil for what can't be told apart.
func Read(text []byte) *Tree {
	type open struct {
		Tree
		n     int
		whole bool // nothing in it is told by itself
	}
	stack := []open{{}}
	var keys [][2]int // tags of keys, which are others each time
	for at := bytes.IndexByte(text, '<'); at >= 0; {
		end := tagEnd(text, at)
		if end < 0 {
			return nil
		}
		tag, top := text[at+1:end], &stack[len(stack)-1]
		switch {
		case tag[0] == '/':
			if len(stack) == 1 {
				return nil
			}
			done := *top
			done.to = end + 1
			stack = stack[:len(stack)-1]
			around := &stack[len(stack)-1]
			if done.to-done.from >= least && !around.whole {
				done.own = hashed(text, done.Tree, keys)
				around.parts = append(around.parts, done.Tree)
			}
		default:
			top.n++
			name := tag
			if i := bytes.IndexAny(tag, " \n/"); i >= 0 {
				name = tag[:i]
			}
			if slices.Contains(void, string(name)) || tag[len(tag)-1] == '/' {
				if bytes.Contains(tag, []byte(`name="_key"`)) {
					keys = append(keys, [2]int{at, end + 1})
				}
				break
			}
			one := open{Tree: Tree{at: top.n, from: at}}
			one.whole = top.whole || slices.Contains(closed, string(name))
			stack = append(stack, one)
		}
		next := bytes.IndexByte(text[end:], '<')
		if next < 0 {
			break
		}
		at = end + next
	}
	if len(stack) != 1 {
		return nil
	}
	root := stack[0].Tree
	root.to = len(text)
	root.own = hashed(text, root, keys)
	return &root
}

// void elements have no end; what is in the closed ones is no element of a page for itself.
var (
	void   = []string{"input", "br", "hr", "img", "meta", "link"}
	closed = []string{"svg", "table", "select", "datalist", "template", "textarea"}
)

// tagEnd is where a tag ends.
func tagEnd(text []byte, at int) int {
	quoted := false
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '"':
			quoted = !quoted
		case '>':
			if !quoted && i > at+1 {
				return i
			}
		}
	}
	return -1
}

// hashed is of what isn't in an element's parts, without keys.
func hashed(text []byte, e Tree, keys [][2]int) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	from := e.from
	until := func(to int) {
		for _, k := range keys {
			if k[0] >= from && k[1] <= to {
				_, _ = h.Write(text[from:k[0]]) // a hash takes everything
				from = k[1]
			}
		}
		_, _ = h.Write(text[from:to])
	}
	for _, part := range e.parts {
		until(part.from)
		_ = h.WriteByte(0)
		from = part.to
	}
	until(e.to)
	return h.Sum64()
}

var seed = maphash.MakeSeed()
