package form_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"norn/form"
)

func TestOfFindsTheFieldsOfAStruct(t *testing.T) {
	var got []string
	for path, field := range whole.All() {
		got = append(got, path+" "+string(field.Kind))
	}
	want := []string{
		"name text", "story prose", "skill trait",
		"difficulty int", "modifier int", "die choice", "tool choice", "partial bool", "lit bool",
		"resist group", "resist.blood group", "resist.blood.stress int", "resist.blood.free int",
		"resist.mind group", "resist.mind.stress int", "resist.mind.free int",
		"skills list", "skills.name text", "skills.dots int", "skills.notes list", "skills.notes.text text",
		"skills.notes.old bool",
		"ally ref", "team refs", "dice faces",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	die, ok := whole.Field("die")
	if !ok || die.Set != "dice" || die.Default != "d6" || die.Where != form.Bare || len(die.Options) != 3 {
		t.Errorf("die is %+v", die)
	}
	if dots, ok := whole.Field("skills.0.dots"); !ok || dots.Min != 1 || dots.Max != 5 || dots.Default != 1 {
		t.Errorf("skills.0.dots is %+v", dots)
	}
	for _, path := range []string{"", "nobody", "hidden", "resist.0.blood", "name.0", "skills.00.name"} {
		if _, ok := whole.Field(path); ok {
			t.Errorf("found a field %q", path)
		}
	}
}

type itself struct {
	More []itself `json:"more"`
}

// mistakes are invalid structs, by the text of the panic.
var mistakes = map[string]func(){
	"is no struct": func() { form.Of[int]() },
	"holds itself": func() { form.Of[itself]() },
	"json tag":     func() { form.Of[struct{ Name string }]() },
	`not "freeSlots"`: func() {
		form.Of[struct {
			A string `json:"freeSlots"`
		}]()
	},
	"two fields named": func() {
		form.Of[struct {
			numbers
			A string `json:"die"`
		}]()
	},
	"an int needs max": func() {
		form.Of[struct {
			A int `json:"a"`
		}]()
	},
	"do not fit into": func() {
		form.Of[struct {
			A int8 `json:"a" form:"max=200"`
		}]()
	},
	"above max": func() {
		form.Of[struct {
			A int `json:"a" form:"min=3,max=2"`
		}]()
	},
	"no limit": func() {
		form.Of[struct {
			A string `json:"a" form:"max=201"`
		}]()
	},
	"means nothing": func() {
		form.Of[struct {
			A bool `json:"a" form:"max=2"`
		}]()
	},
	"nothing for a text": func() {
		form.Of[struct {
			A string `json:"a" form:"requird"`
		}]()
	},
	"nothing for a int": func() {
		form.Of[struct {
			A int `json:"a" form:"max=2,prose"`
		}]()
	},
	"stands twice": func() {
		form.Of[struct {
			A int `json:"a" form:"max=2,max=3"`
		}]()
	},
	"choice \"x\"": func() {
		form.Of[struct {
			A string `json:"a" form:"choice=x|x"`
		}]()
	},
	"exclude": func() {
		form.Of[struct {
			A bool `json:"a" form:"bare,table"`
		}]()
	},
	"is not allowed": func() {
		form.Of[struct {
			A string `json:"a" form:"choice=x|y,default=z"`
		}]()
	},
	"=7 is not allowed": func() {
		form.Of[struct {
			A int `json:"a" form:"max=6,default=7"`
		}]()
	},
	"no whole number": func() {
		form.Of[struct {
			A int `json:"a" form:"max=6,default=x"`
		}]()
	},
	"neither true": func() {
		form.Of[struct {
			A bool `json:"a" form:"default=x"`
		}]()
	},
	"nothing for a ref": func() {
		form.Of[struct {
			A form.Ref `json:"a" form:"default=x"`
		}]()
	},
	"no kind for": func() {
		form.Of[struct {
			A map[string]int `json:"a"`
		}]()
	},
	"type float64": func() {
		form.Of[struct {
			A float64 `json:"a"`
		}]()
	},
}

func TestOfPanicsOverMistakesInTheStruct(t *testing.T) {
	for says, of := range mistakes {
		t.Run("says "+says, func(t *testing.T) {
			defer func() {
				if got, _ := recover().(string); !strings.Contains(got, says) {
					t.Errorf("panics with %q", got)
				}
			}()
			of()
		})
	}
}
