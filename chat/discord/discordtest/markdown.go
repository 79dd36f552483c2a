package discordtest

import (
	"regexp"
	"strings"
)

// Markup as Discord's client reads it: escapes have priority, then marks, links, mentions, emoji.
var (
	escaped  = regexp.MustCompile(`^\\([^0-9A-Za-z\s])`)
	masked   = regexp.MustCompile(`^\[((?:\\.|[^\[\]\\])+)\]\(\s*<?(https?://[^\s<>)]+)>?\s*\)`)
	angled   = regexp.MustCompile(`^<(https?://[^\s<>]+)>`)
	bareLink = regexp.MustCompile(`^https?://[^\s<]+`)
	mention  = regexp.MustCompile(`^<(@!?|@&|#|/[^:>]+:|t:|a?:\w+:|id:)([\w-]+)(:\w)?>`)
	everyone = regexp.MustCompile(`^@(everyone|here)`)
	heading  = regexp.MustCompile(`^(#{1,3})\s+`)
	subtext  = regexp.MustCompile(`^-#\s+`)
	quote    = regexp.MustCompile(`^(>>>|>)\s+`)
	item     = regexp.MustCompile(`^\s*([-*+]|\d+[.)])\s+`)
	pairs    = []pair{
		{"***", "bold"},
		{"**", "bold"},
		{"__", "underlined"},
		{"~~", "struck"},
		{"||", "spoiler"},
		{"*", "italic"},
		{"_", "italic"},
		{"```", "code"},
		{"``", "code"},
		{"`", "code"},
	}
	wordBound = regexp.MustCompile(`^\w`)
)

type pair struct{ sign, name string }

// draw returns a text as people read it, and what in it is marked.
func draw(source string, name func(id string) string) (text string, marked []string) {
	var lines []string
	for line := range strings.SplitSeq(source, "\n") {
		kind := ""
		for _, block := range []struct {
			is   *regexp.Regexp
			name string
		}{{subtext, "small"}, {heading, "heading"}, {quote, "quoted"}, {item, "item"}} {
			if m := block.is.FindString(line); m != "" {
				kind, line = block.name, line[len(m):]
				break
			}
		}
		drawn, more := inline(line, name)
		marked = append(marked, more...)
		if kind != "" {
			marked = append(marked, kind+" "+drawn)
		}
		lines = append(lines, drawn)
	}
	return strings.Join(lines, "\n"), marked
}

func inline(s string, name func(string) string) (text string, marked []string) {
	var out strings.Builder
	mark := func(what string) { marked = append(marked, what) }
	for i := 0; i < len(s); {
		if strings.IndexByte("\\[<h@*_~|`", s[i]) < 0 {
			out.WriteByte(s[i])
			i++
			continue
		}
		rest := s[i:]
		if m := escaped.FindStringSubmatch(rest); m != nil {
			out.WriteString(m[1])
			i += len(m[0])
			continue
		}
		if m := masked.FindStringSubmatch(rest); m != nil {
			inside, more := inline(m[1], name)
			out.WriteString(inside)
			mark("link " + inside + " " + m[2])
			marked = append(marked, more...)
			i += len(m[0])
			continue
		}
		if m := angled.FindStringSubmatch(rest); m != nil {
			out.WriteString(m[1])
			mark("link " + m[1])
			i += len(m[0])
			continue
		}
		if m := bareLink.FindString(rest); m != "" {
			out.WriteString(m)
			mark("link " + m)
			i += len(m)
			continue
		}
		if m := mention.FindStringSubmatch(rest); m != nil {
			shown := m[0]
			if m[1] == "@" || m[1] == "@!" {
				shown = "@" + name(m[2])
			}
			out.WriteString(shown)
			mark("mention " + shown)
			i += len(m[0])
			continue
		}
		if m := everyone.FindString(rest); m != "" {
			out.WriteString(m)
			mark("mention " + m)
			i += len(m)
			continue
		}
		if n, inside, kind := findPair(s, i); n > 0 {
			drawn, more := inside, []string(nil)
			if kind != "code" {
				drawn, more = inline(inside, name)
			}
			out.WriteString(drawn)
			mark(kind + " " + drawn)
			marked = append(marked, more...)
			i += n
			continue
		}
		out.WriteByte(s[i])
		i++
	}
	return out.String(), marked
}

// findPair returns what is between two equal marks that begin at i.
func findPair(s string, i int) (n int, inside, kind string) {
	rest := s[i:]
	for _, p := range pairs {
		if !strings.HasPrefix(rest, p.sign) {
			continue
		}
		for j := len(p.sign); j+len(p.sign) <= len(rest); j++ {
			if rest[j] == '\\' && p.name != "code" {
				j++
				continue
			}
			if !strings.HasPrefix(rest[j:], p.sign) {
				continue
			}
			after := rest[j+len(p.sign):]
			within := rest[len(p.sign):j]
			if within == "" || p.name != "code" && strings.TrimSpace(within) == "" {
				continue
			}
			if p.sign == "_" && (wordBound.MatchString(after) || i > 0 && wordBound.MatchString(s[i-1:])) {
				continue
			}
			if p.sign == "*" && (strings.HasPrefix(within, " ") || strings.HasPrefix(after, "*")) {
				continue
			}
			return j + len(p.sign), within, p.name
		}
	}
	return 0, "", ""
}
