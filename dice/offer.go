package dice

import (
	"slices"
	"unicode/utf8"
)

// Limits of offers: the spellings that a refusal names, and the characters of a text for which they are
// looked for.
const (
	mostOffers = 3
	maxOffered = 100
)

// offer returns the error of norn's own reading of a text or, if other programs read it, one with
// norn's spellings of what they mean.
func offer(text string, err error) error {
	o := &MeantError{Reason: Foreign, Given: text}
	if utf8.RuneCountInString(text) > maxOffered {
		return err
	}
	switch err := err.(type) {
	case *SyntaxError:
		o.Of, o.At = err.Of, err.At
	case *MeantError:
		if err.Reason != Labelled && err.Reason != NoDice { // norn's own words say more
			return err
		}
		o.Of, o.At = err.Of, err.At
	default:
		return err
	}
	for _, d := range allDialects {
		if d.Name == Newest {
			continue
		}
		for _, try := range spellingsAs(text, d.Name) {
			if !slices.Contains(o.Try, try) && len(o.Try) < mostOffers {
				o.Try, o.As = append(o.Try, try), append(o.As, d.Name)
			}
		}
	}
	if len(o.Try) == 0 {
		return err
	}
	return o
}

// spellingsAs returns norn's own spellings of a text of another program.
func spellingsAs(text, as string) []string {
	e, err := ParseAs(text, as)
	all := []string{e.String()}
	if err != nil {
		meant, ok := err.(*MeantError)
		if !ok || meant.Reason != Elsewhere {
			return nil
		}
		all = meant.Try
	}
	return slices.DeleteFunc(slices.Clone(all), func(try string) bool {
		own, err := ParseRecorded(try, Newest)
		if err != nil || own.vain != nil || own.String() != try {
			return true
		}
		least, most := own.Range()
		return least == most // nobody means dice that are all dropped
	})
}

// Short returns the short name of a reading, which "as" takes, too.
func Short(as string) string {
	for _, d := range allDialects {
		if d.Name == as {
			return d.Short
		}
	}
	return as
}
