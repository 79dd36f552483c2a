package form_test

import (
	"norn/form"
)

// sheet has a field of every kind, for tests.
type sheet struct {
	Name  string     `json:"name" form:"required,max=20"`
	Story string     `json:"story" form:"prose,max=100"`
	Skill form.Trait `json:"skill"`
	numbers
	Resist struct {
		Blood track `json:"blood"`
		Mind  track `json:"mind"`
	} `json:"resist"`
	Skills []skill    `json:"skills" form:"max=3"`
	Ally   form.Ref   `json:"ally" form:"table"`
	Team   []form.Ref `json:"team" form:"max=3,table"`
	Faces  form.Faces `json:"dice" form:"max=4"`
	Hidden string     `json:"hidden" form:"-"`
	Secret string     `json:"-"`
}

type numbers struct {
	Difficulty int8   `json:"difficulty" form:"max=2"`
	Modifier   int    `json:"modifier" form:"min=-5,max=5,default=1"`
	Die        die    `json:"die" form:"choice=d3|d6|d8,set=dice,default=d6,bare"`
	Tool       string `json:"tool" form:"choice=|knife|rope"`
	Partial    bool   `json:"partial"`
	Lit        bool   `json:"lit" form:"default=true"`
}

type (
	die   string
	track struct {
		Stress uint `json:"stress" form:"max=12"`
		Free   int  `json:"free" form:"max=9,default=2"`
	}
	skill struct {
		Name  string  `json:"name" form:"required"`
		Dots  int     `json:"dots" form:"min=1,max=5"`
		Notes []notes `json:"notes" form:"max=2"`
	}
	notes struct {
		Text string `json:"text"`
		Old  bool   `json:"old"`
	}
)

var whole = form.Of[sheet]()

// usual returns a sheet with only the name given.
func usual() sheet {
	s := sheet{Name: "Anna"}
	s.Modifier, s.Die, s.Lit = 1, "d6", true
	s.Resist.Blood.Free, s.Resist.Mind.Free = 2, 2
	return s
}
