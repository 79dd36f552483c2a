// Command growth measures how the cost of exact odds grows with the number of dice, and draws it:
// go run ./docs/growth > docs/bench-growth.svg, or make growth. It also writes the figures to
// standard error.
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"math"
	"os"
	"strings"
	"time"

	"norn/dice"
	"norn/odds"
	"norn/rule"
)

// sizes are the numbers of dice measured.
var sizes = []int{5, 10, 20, 50, 100, 200, 400}

// curve holds the times of one kind of throw.
type curve struct {
	name, colour string
	dash         string
	rule         func(n int) func(*rule.Run) rule.Outcome
	times        []time.Duration // one for each size
}

var curves = []curve{
	{name: "n d10, hits less ones", colour: "#7a3db8", rule: roll},
	{name: "n d6 summed", colour: "#0b6e99", dash: "7 4", rule: notation("%dd6")},
	{name: "n d10, the higher half summed", colour: "#a8480b", dash: "2 3", rule: keepHighest},
	{name: "highest of n d10 and its tens", colour: "#2e7d32", dash: "10 3 2 3", rule: highest},
}

// roll returns the rule of a storyteller's pool at difficulty 6.
func roll(n int) func(*rule.Run) rule.Outcome {
	return func(r *rule.Run) rule.Outcome {
		t := r.Classes(dice.Pool{N: n, Sides: 10}, dice.AtLeast(6), dice.Exactly(1))
		switch {
		case t[0] > t[1]:
			return rule.Outcome{ID: "success", N: t[0] - t[1]}
		case t[0] == 0 && t[1] > 0:
			return rule.Outcome{ID: "botch"}
		}
		return rule.Outcome{ID: "failure"}
	}
}

func notation(format string) func(n int) func(*rule.Run) rule.Outcome {
	return func(n int) func(*rule.Run) rule.Outcome {
		e, err := dice.Parse(fmt.Sprintf(format, n))
		if err != nil {
			log.Fatal(err)
		}
		return rule.Notation(e)
	}
}

func keepHighest(n int) func(*rule.Run) rule.Outcome {
	return notation(fmt.Sprintf("%%dd10kh%d", (n+1)/2))(n)
}

func highest(n int) func(*rule.Run) rule.Outcome {
	type hand struct{ best, tens int }
	return func(r *rule.Run) rule.Outcome {
		h := rule.Fold(r, dice.Pool{N: n, Sides: 10}, hand{}, func(h hand, face, n int) hand {
			if h.best == 0 {
				h.best = face
			}
			if face == 10 {
				h.tens = n
			}
			return h
		})
		return rule.Outcome{ID: "best", N: h.best*1000 + h.tens}
	}
}

// measure returns the shortest of several runs, because other work on the machine only adds time.
func measure(f func(*rule.Run) rule.Outcome) time.Duration {
	best := time.Duration(math.MaxInt64)
	for began := time.Now(); time.Since(began) < 300*time.Millisecond; {
		start := time.Now()
		if _, err := odds.Price(context.Background(), f, nil, nil, rule.Limits{}); err != nil {
			log.Fatal(err)
		}
		best = min(best, time.Since(start))
	}
	return best
}

func main() {
	log.SetFlags(0)
	for i := range curves {
		c := &curves[i]
		for _, n := range sizes {
			c.times = append(c.times, measure(c.rule(n)))
		}
		log.Printf("%-45s %v", c.name, c.times)
	}
	if _, err := os.Stdout.Write(draw()); err != nil {
		log.Fatal(err)
	}
}

// The picture's measures, and the range of its axes: times from 1 µs to 10 s.
const (
	width, height             = 760, 460
	left, right               = 70, 20
	top, bottom               = 20, 130
	shortest, decades         = 1e-6, 7
	plotWidth                 = width - left - right
	plotHeight                = height - top - bottom
	fewest, most      float64 = 5, 400
)

func x(n int) float64 { return left + plotWidth*math.Log(float64(n)/fewest)/math.Log(most/fewest) }

func y(t time.Duration) float64 {
	return top + plotHeight*(1-math.Log10(t.Seconds()/shortest)/decades)
}

// draw draws the picture. Both axes are logarithmic, so a power of n is a straight line.
func draw() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" font-family="system-ui, sans-serif" font-size="13" fill="#222">`+"\n", width, height)
	b.WriteString("<title>Time of exact odds by the number of dice</title>\n<desc>" + describe() + "</desc>\n")
	fmt.Fprintf(&b, `<rect width="%d" height="%d" fill="#fff"/>`+"\n", width, height)
	for i, name := range []string{"1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s", "10 s"} {
		at := top + plotHeight*(1-float64(i)/decades)
		fmt.Fprintf(&b, `<path d="M%d %.1fH%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%s</text>`+"\n",
			left, at, width-right, left-8, at+4, name)
	}
	for _, n := range sizes {
		fmt.Fprintf(&b, `<path d="M%.1f %dV%d" stroke="#eee"/><text x="%.1f" y="%d" text-anchor="middle">%d</text>`+
			"\n", x(n), top, height-bottom, x(n), height-bottom+18, n)
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end">dice</text>`+"\n", width-right, height-bottom+36)
	for i, c := range curves {
		points := make([]string, len(sizes))
		for j, n := range sizes {
			points[j] = fmt.Sprintf("%.1f,%.1f", x(n), y(c.times[j]))
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`, x(n), y(c.times[j]), c.colour)
		}
		stroke := fmt.Sprintf(`fill="none" stroke="%s" stroke-width="2" stroke-dasharray="%s"`, c.colour, c.dash)
		fmt.Fprintf(&b, "\n"+`<polyline points="%s" %s/>`+"\n", strings.Join(points, " "), stroke)
		at := height - bottom + 50 + 20*i
		fmt.Fprintf(&b, `<path d="M%d %dh40" %s/><text x="%d" y="%d">%s</text>`+"\n", left, at-4, stroke, left+50, at,
			c.name)
	}
	b.WriteString("</svg>\n")
	return b.Bytes()
}

// describe describes the picture in words, for those who can't see it.
func describe() string {
	var lines []string
	for _, c := range curves {
		var points []string
		for i, n := range sizes {
			points = append(points, fmt.Sprintf("%d dice %v", n, c.times[i].Round(100*time.Nanosecond)))
		}
		lines = append(lines, c.name+": "+strings.Join(points, ", "))
	}
	return strings.Join(lines, ". ") + "."
}
