package game

import (
	"errors"
	"strconv"
	"strings"

	"norn/dice"
	"norn/form"
	"norn/rule"
)

// HandProblem returns what is wrong with faces that were typed in at path, of which there were
// given: form.Problems or a *Refusal. With later, more faces may be asked for. trail has the dice
// that they are for. It returns nil for an error that isn't about faces.
func HandProblem(path string, given int, later bool, trail rule.Trail, err error) error {
	var (
		few  *dice.TooFewError
		many *dice.TooManyError
		face *dice.FaceError
		sum  *dice.TotalError
	)
	sides, p := sidesOf(trail), form.Problem{Path: path, Code: form.Range, Given: strconv.Itoa(given)}
	switch {
	case errors.As(err, &few):
		p.Code, p.Min = form.TooFew, given-few.Have+few.Need.N
		if few.Have == given || sides == few.Need.Sides {
			p.Sides = few.Need.Sides
		}
	case errors.As(err, &many):
		p.Code, p.Max, p.Later, p.Sides = form.TooMany, given-many.Left, later, sides
	case errors.As(err, &sum) && sum.Most == 0:
		return &Refusal{Word: "table.refusal.faces-needed", Data: map[string]any{"Dice": sum.Of.String()}}
	case errors.As(err, &sum):
		p.Path = facePath(path, sum.At)
		p.Min, p.Max, p.Given = sum.Least, sum.Most, dice.TotalText(sum.Total)
	case errors.As(err, &face):
		p.Path = facePath(path, face.At)
		p.Min, p.Max, p.Given = 1, face.Sides, face.Typed()
	default:
		return nil
	}
	return form.Problems{p}
}

// facePath returns the path of the at-th face in a list.
func facePath(list string, at int) string {
	return strings.TrimPrefix(list+"."+strconv.Itoa(at-1), ".")
}

// sidesOf returns the number of sides of a trail's dice, 0 if they differ.
func sidesOf(trail rule.Trail) int {
	sides := 0
	for _, step := range trail {
		if step.Dice == nil {
			continue
		}
		if sides != 0 && sides != step.Dice.Sides {
			return 0
		}
		sides = step.Dice.Sides
	}
	return sides
}
