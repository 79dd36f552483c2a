package rule

import (
	"encoding/json"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"norn/dice"
	"norn/form"
)

// Question is a choice or a small form that a person answers in the middle of a rule. If A is any,
// the answer has the type of Standard.
type Question[A any] struct {
	ID string // stable, "spire.fallout"
	To string // who must answer: an audience of package game
	// the form of the answer; nil for the form that A itself describes. Standard replaces its
	// defaults
	Form *form.Form
	// makes Form where it's needed: most branches of an exact walk don't
	Fit      func() *form.Form
	Standard A        // the default: assumed if nobody is asked, and for fields that an answer leaves out
	Free     bool     // nothing can be assumed; an exact walk fails here
	Choose   []string // fields that people must fill in: their value in Standard is only for odds
	Weigh    []string // the fields whose values best choices try; none: all fields with few values
	Rival    bool     // it's for the other side, for which best choices aren't made
	About    any      // facts the person needs to decide, for display; JSON
	Names    bool     // its answer names players who join the move; package game uses it
	// plans are being made in secret: until it's answered, others see no more of the move than
	// participants do
	Sealed bool
	Check  func(A) error // refuses an answer that the form allows; may be nil
}

// Open is a question that waits for its answer. Each run makes it again, so it is never stored. Its
// form can be fitted to the seat that answers.
type Open struct {
	Part     string
	At       int // the index of the answer among the steps of its part
	ID       string
	To       string
	Form     *form.Form
	Standard any
	Weigh    []string // see Question
	Rival    bool
	Names    bool
	Sealed   bool
	Choose   []string // see Question
	About    any
	Dice     *dice.Pool // set if the question asks for faces typed in by hand
	Total    bool       // their total is enough
	Lends    []string   // whom others may change while it's open, see Run.Lend
	LendsAll bool       // that is everybody whom the rule holds
	check    func(*form.Form, answer) (json.RawMessage, error)
}

// WithForm returns the question with the form of A if it has none.
func (q Question[A]) WithForm() Question[A] {
	switch {
	case q.Form != nil:
	case q.Fit != nil:
		q.Form = q.Fit()
	default:
		q.Form = form.OfType(q.answerType())
	}
	return q
}

// answerType returns the type of an answer.
func (q Question[A]) answerType() reflect.Type {
	if t := reflect.TypeFor[A](); t.Kind() != reflect.Interface {
		return t
	}
	return reflect.TypeOf(q.Standard)
}

// read reads an answer into a new value.
func (q Question[A]) read(read func(into any) error) (A, error) {
	var none A
	return q.readOver(none, read)
}

// readOver reads an answer into a copy of a; members that the answer leaves out keep their values.
func (q Question[A]) readOver(a A, read func(into any) error) (A, error) {
	if reflect.TypeFor[A]().Kind() != reflect.Interface {
		err := read(&a)
		return a, err
	}
	into := reflect.New(q.answerType())
	if from := reflect.ValueOf(a); from.IsValid() {
		into.Elem().Set(from)
	}
	err := read(into.Interface())
	a, _ = into.Elem().Interface().(A)
	return a, err
}

// form returns the form of the question with the standard answer as its defaults.
func (q Question[A]) form() *form.Form {
	if q.Free {
		return q.Form
	}
	return q.Form.From(q.Standard).Unset(q.Choose...)
}

// answer is a raw answer: JSON, or the values of an HTML form.
type answer struct {
	json   json.RawMessage
	values url.Values
}

// read decodes the answer into a value by a form.
func (a answer) read(f *form.Form, into any) error {
	if a.values != nil {
		return f.Values(a.values, into)
	}
	return f.Decode(a.json, into)
}

// Place returns the question's name within its move, which every run repeats.
func (o Open) Place() string { return o.Part + ":" + strconv.Itoa(o.At) }

// Step checks an answer in JSON and returns the step to append to the trail. seat is the seat that
// answers. The error is form.Problems or the question's own refusal. A roll that is left to norn
// has no faces yet: the caller rolls them.
func (o Open) Step(given json.RawMessage, seat string) (Step, error) {
	return o.step(answer{json: given}, seat)
}

// StepOfValues is Step for an answer from a plain HTML form.
func (o Open) StepOfValues(given url.Values, seat string) (Step, error) {
	if given == nil {
		given = url.Values{}
	}
	return o.step(answer{values: given}, seat)
}

func (o Open) step(given answer, seat string) (Step, error) {
	clean, err := o.check(o.Form, given)
	if err != nil {
		return Step{}, err
	}
	if o.Dice != nil {
		var typed fallenByHand
		if err := json.Unmarshal(clean, &typed); err != nil {
			return Step{}, err
		}
		return Step{
			Part: o.Part,
			Dice: &Throw{
				For: o.Dice.For, Sides: o.Dice.Sides, Faces: typed.Faces.Faces, Hand: !typed.Roll,
				Total: typed.Total,
			},
		}, nil
	}
	return Step{Part: o.Part, Answer: &Answer{Question: o.ID, Value: clean, Seat: seat}}, nil
}

// Ask asks a question and returns the answer. A live run stops here until somebody answers.
func Ask[A any](r *Run, q Question[A]) A {
	if q.Fit == nil {
		q = q.WithForm()
	}
	if r.walking() {
		return answerAhead(r.walk, q)
	}
	p := r.play
	if step, ok := r.next(); ok {
		if step.Answer == nil || step.Answer.Question != q.ID {
			r.failMismatch("an answer to "+q.ID, step)
		}
		a, err := q.read(func(into any) error { return json.Unmarshal(step.Answer.Value, into) })
		if err != nil {
			r.failMismatch("an answer to "+q.ID, step)
		}
		return a
	}
	if p.policy != nil {
		a := assumeAnswer(p.policy, q, p.fail)
		if p.keep {
			value, err := json.Marshal(a)
			if err != nil {
				p.fail(fmt.Errorf("answer to %s: %w", q.ID, err))
			}
			r.record(Step{Part: r.part, Answer: &Answer{Question: q.ID, Value: value}})
		}
		return a
	}
	open(r, q)
	panic(stopped{})
}

// AskAnew asks a question that is made again if others change something while it's open, see
// Run.Lend. The answer is to the last one.
func AskAnew[A any](r *Run, question func() Question[A]) A {
	r.settle()
	return Ask(r, question())
}

// open adds the question to the open ones. It is separate from Ask so that a question with an
// answer needs no memory.
func open[A any](r *Run, q Question[A]) {
	q = q.WithForm()
	asked := q.form()
	r.play.open = append(r.play.open, Open{
		Part: r.part, At: r.segment.at, ID: q.ID, To: q.To, Form: asked, Standard: q.Standard, Weigh: q.Weigh,
		Rival: q.Rival, Names: q.Names, Sealed: q.Sealed, Choose: q.Choose, About: q.About,
		Lends: r.lent, LendsAll: r.adopt != nil && len(r.lent) == 0,
		check: func(f *form.Form, given answer) (json.RawMessage, error) {
			a, err := q.read(func(into any) error { return given.read(f, into) })
			if err != nil {
				return nil, err
			}
			if q.Check != nil {
				if err := q.Check(a); err != nil {
					return nil, err
				}
			}
			return json.Marshal(a)
		},
	})
}

// assumeAnswer returns the answer of the policy, or the standard answer.
func assumeAnswer[A any](policy Policy, q Question[A], fail func(error)) A {
	if choose, ok := policy[q.ID]; ok {
		if given, ok := choose.(Given); ok {
			return readGiven(given, q, fail)
		}
		if a, ok := choose.(A); ok && reflect.TypeOf(choose) == q.answerType() {
			return a
		}
		fail(fmt.Errorf("policy for %s answers %T, the question asks for %T", q.ID, choose, q.Standard))
	}
	if q.Free {
		fail(&FreeError{Question: q.ID})
	}
	return q.Standard
}

// FreeError reports a question that has no answer to assume.
type FreeError struct{ Question string }

func (e *FreeError) Error() string {
	return "no answer can be assumed for " + e.Question
}

// DiceQuestion is the id of the question that asks people for faces, or whether norn rolls.
const DiceQuestion = "dice"

// Faces is the answer to a DiceQuestion: the faces that fell at the table, or Roll if norn rolls.
type Faces struct {
	Faces form.Faces `json:"faces,omitempty"`
	Roll  bool       `json:"roll,omitempty"`
}

// fallenByHand is a checked answer to a DiceQuestion. With Total only the sum of the faces was typed.
type fallenByHand struct {
	Faces
	Total bool `json:"total,omitempty"`
}

// facesForm takes an answer to a DiceQuestion. Pages ask for the faces alone, and have a button for
// norn's dice.
var (
	facesForm = form.Of[Faces]()
	typedForm = form.Of[struct {
		Faces form.Faces `json:"faces" form:"required"`
	}]()
)

// Schema returns the JSON Schema of an answer.
func (o Open) Schema() map[string]any {
	if o.Dice != nil {
		return facesForm.Schema()
	}
	return o.Form.Schema()
}

// LabelSchema returns Schema with the labels of its fields and choices.
func (o Open) LabelSchema(field form.Label, choice form.ChoiceLabel) map[string]any {
	if o.Dice != nil {
		return facesForm.Schema()
	}
	return o.Form.LabelSchema(field, choice)
}

// askDice opens the question for the faces of p, or with total for their total.
func (r *Run) askDice(p dice.Pool, total bool) {
	to := ""
	if r.play.roller != nil {
		to = r.play.roller(p, r.by)
	}
	r.play.open = append(r.play.open, Open{
		Part: r.part, At: r.segment.at, ID: DiceQuestion, To: to, Form: typedForm, Dice: &p, Total: total,
		Lends: r.lent, LendsAll: r.adopt != nil && len(r.lent) == 0,
		check: func(_ *form.Form, given answer) (json.RawMessage, error) {
			var typed Faces
			if err := given.read(facesForm, &typed); err != nil {
				return nil, err
			}
			switch facesGiven := len(typed.Faces) > 0; {
			case typed.Roll && facesGiven: // typed faces must not be dropped
				return nil, form.Problems{
					{Path: "faces", Code: form.Unneeded, Given: strings.Trim(fmt.Sprint(typed.Faces), "[]")},
				}
			case typed.Roll:
				return json.Marshal(typed)
			case !facesGiven:
				return nil, form.Problems{{Path: "faces", Code: form.Missing}}
			}
			hand := dice.NewHand(typed.Faces)
			take := func(p dice.Pool) (faces []int, typed bool, err error) {
				faces, err = hand.Take(p)
				return faces, false, err
			}
			if total {
				take = hand.TakeTotal
			}
			faces, isTotal, err := take(p)
			if err == nil {
				err = hand.CheckEmpty()
			}
			if err != nil {
				return nil, err
			}
			return json.Marshal(fallenByHand{Faces{Faces: faces}, isTotal})
		},
	})
	panic(stopped{})
}
