package edda

import "strconv"

// fading is the change by which a strength fades for what the action needs,
// if one does. Once faded it can't be used, whatever its steps; when all have,
// oblivion comes. ED-21, ED-22, ED-23
func (h Hero) fading(who, place string) []StrengthFaded {
	at, err := strconv.Atoi(place)
	if err != nil || at < 0 || at >= len(h.Strengths) {
		return nil
	}
	return []StrengthFaded{{Who: who, At: at, Strength: h.Strengths[at].Name}}
}

// usedUp are the circumstances of one of Fate's characters that last for one
// action. ED-06
func (o Other) usedUp(who string) []CircumstanceEnded {
	var ended []CircumstanceEnded
	for _, c := range o.Difficulties {
		if c.Lasts != "many" {
			ended = append(ended, CircumstanceEnded{Who: who, Sort: "difficulty", Circumstance: c})
		}
	}
	for _, c := range o.Advantages {
		if c.Lasts != "many" {
			ended = append(ended, CircumstanceEnded{Who: who, Sort: "advantage", Circumstance: c})
		}
	}
	return ended
}
