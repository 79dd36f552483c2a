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
	at := func(section, key string, what error) error {
		line, col := placeOf(source, section, key)
		return &Problem{File: lookFile, Line: line, Col: col, What: what}
	}
	if len(source) > maxLook {
		return nil, &Problem{File: lookFile, What: wrong("bytes", "Len", len(source), "Max", maxLook)}
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
				return nil, at("", key, oneOf(key, game.Heads))
			}
			p.Heads = name
		case "light", "dark":
			colours, ok := value.(map[string]any)
			if !ok {
				return nil, at("", key, wrong("look-section", "Name", key))
			}
			into := map[string]map[string]string{"light": p.Light, "dark": p.Dark}[key]
			for _, name := range slices.Sorted(maps.Keys(colours)) {
				value := colours[name]
				if _, known := into[name]; !known {
					return nil, at(key, name, wrong("look-unknown", "Name", name, "Allowed", colourNames()))
				}
				text, _ := value.(string)
				if !colour.MatchString(text) {
					return nil, at(key, name, wrong("look-colour", "Name", name, "Given", fmt.Sprint(value)))
				}
				into[name] = strings.ToLower(text)
			}
		default:
			return nil, at("", key, wrong("look-unknown", "Name", key, "Allowed", "heads, [light], [dark]"))
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
			return nil, at(theme.name, key, wrong("contrast-"+theme.name,
				"Over", pair.over+" "+theme.colours[pair.over], "Under", pair.under+" "+theme.colours[pair.under],
				"Contrast", math.Floor(got*10)/10, "Min", leastContrast))
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
