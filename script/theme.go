package script

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"norn/game"
)

const (
	lookFile = "look.toml"
	maxLook  = 8 << 10 // bytes of look.toml
)

var colour = regexp.MustCompile(`^#[0-9a-fA-F]{6}$`)

// paintOf parses look.toml, and returns an error for unreadable colours. An empty file means norn's
// own look.
//
//	heads = "garamond"
//	[light]
//	paper = "#f1f4f4"
//	[dark]
//	paper = "#0f1717"
func paintOf(source string) (*game.Paint, error) {
	if strings.TrimSpace(source) == "" {
		return nil, nil
	}
	at := func(section, key, format string, about ...any) error {
		line, col := placeOf(source, section, key)
		return &Problem{File: lookFile, Line: line, Col: col, What: fmt.Sprintf(format, about...)}
	}
	if len(source) > maxLook {
		return nil, &Problem{
			File: lookFile,
			What: fmt.Sprintf("it has %d bytes; %d are the most", len(source), maxLook),
		}
	}
	var read map[string]any
	if _, err := toml.Decode(source, &read); err != nil {
		return nil, tomlProblem(lookFile, err)
	}
	p := game.DefaultPaint()
	for _, key := range slices.Sorted(maps.Keys(read)) {
		value := read[key]
		switch key {
		case "heads":
			name, _ := value.(string)
			if !slices.Contains(game.Heads, name) {
				return nil, at("", key, "%v is no font for heads; there are %s", value, strings.Join(game.Heads, ", "))
			}
			p.Heads = name
		case "light", "dark":
			colours, ok := value.(map[string]any)
			if !ok {
				return nil, at("", key, "[%s] is a part with colours, a line each: paper = \"#f4f1ea\"", key)
			}
			into := map[string]map[string]string{"light": p.Light, "dark": p.Dark}[key]
			for _, name := range slices.Sorted(maps.Keys(colours)) {
				value := colours[name]
				if _, known := into[name]; !known {
					return nil, at(key, name, "there is no colour %s; there are %s", name, colourNames())
				}
				text, _ := value.(string)
				if !colour.MatchString(text) {
					return nil, at(key, name, "%s is a colour as \"#1a2220\", not %v", name, value)
				}
				into[name] = strings.ToLower(text)
			}
		default:
			return nil, at("", key, "it doesn't know %s; there are heads, [light] and [dark]", key)
		}
	}
	for _, theme := range []struct {
		name    string
		colours map[string]string
	}{{"light", p.Light}, {"dark", p.Dark}} {
		for _, pair := range readable {
			got := contrast(theme.colours[pair.over], theme.colours[pair.under])
			if got >= leastContrast {
				continue
			}
			key := pair.over
			if line, _ := placeOf(source, theme.name, key); line == 0 {
				key = pair.under
			}
			return nil, at(theme.name, key,
				"[%s] %s %s can't be read well on %s %s: their contrast is %.1f, and %.1f is the least; make one of them %s",
				theme.name, pair.over, theme.colours[pair.over], pair.under, theme.colours[pair.under],
				math.Floor(got*10)/10, leastContrast,
				map[bool]string{true: "darker", false: "lighter"}[theme.name == "light"])
		}
	}
	return p, nil
}

func colourNames() string {
	names := make([]string, len(game.Colours))
	for i, c := range game.Colours {
		names[i] = c.Name
	}
	return strings.Join(names, ", ")
}

// leastContrast is the contrast that WCAG 2.2 requires for text.
const leastContrast = 4.5

// readable lists the pairs of colours for text and background on a page.
var readable = func() (pairs []struct{ over, under string }) {
	for _, over := range []string{
		"ink", "faint", "accent", "danger", "triumph", "good", "mixed", "bad", "disaster",
		"neutral",
	} {
		for _, under := range []string{"paper", "raised", "sunk"} {
			if under == "sunk" && slices.Contains([]string{
				"triumph", "good", "mixed", "bad", "disaster", "neutral",
				"danger",
			}, over) {
				continue // outcomes don't have this background
			}
			pairs = append(pairs, struct{ over, under string }{over, under})
		}
	}
	return append(pairs, struct{ over, under string }{"on-accent", "accent"})
}()

// contrast returns the contrast of two colours as WCAG defines it.
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(hex string) float64 {
	sum := 0.0
	for i, share := range []float64{0.2126, 0.7152, 0.0722} {
		n, _ := strconv.ParseUint(hex[1+2*i:3+2*i], 16, 8)
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += share * c
	}
	return sum
}

// placeOf returns the place of a key in a TOML file, or 0.
func placeOf(source, section, key string) (line, col int) {
	part := ""
	for i, text := range strings.Split(source, "\n") {
		bare := strings.TrimSpace(text)
		col := strings.Index(text, bare) + 1
		if strings.HasPrefix(bare, "[") {
			part = strings.Trim(strings.TrimSpace(strings.SplitN(bare, "#", 2)[0]), "[] ")
			if section == "" && part == key {
				return i + 1, col
			}
			continue
		}
		name, _, _ := strings.Cut(bare, "=")
		if part == section && strings.Trim(strings.TrimSpace(name), `"'`) == key {
			return i + 1, col
		}
	}
	return 0, 0
}
