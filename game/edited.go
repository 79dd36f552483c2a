package game

import "reflect"

// Edited is a change of a sheet by hand, as a rule that lends the character takes it in. The rule's
// own copy may differ from the sheet, since a part hasn't seen what other parts recorded: so a number
// changes by as much as it was changed, and everything else becomes what it is now. It's never stored
// as an event.
type Edited struct {
	Who     string
	Was, Is any // the sheet before and after
}

// Whose implements Change.
func (e Edited) Whose() string { return e.Who }

// Apply implements Change.
func (e Edited) Apply(sheet any) any {
	if t := reflect.TypeOf(sheet); t == nil || t != reflect.TypeOf(e.Was) || t != reflect.TypeOf(e.Is) {
		return sheet
	}
	edited := reflect.New(reflect.TypeOf(sheet)).Elem()
	edited.Set(reflect.ValueOf(sheet))
	edit(edited, reflect.ValueOf(e.Was), reflect.ValueOf(e.Is))
	return edited.Interface()
}

// edit changes a value as it was changed elsewhere.
func edit(value, was, is reflect.Value) {
	if value.CanInt() {
		value.SetInt(value.Int() + is.Int() - was.Int())
		return
	}
	if value.Kind() == reflect.Struct && isOpen(value.Type()) {
		for i := range value.NumField() {
			edit(value.Field(i), was.Field(i), is.Field(i))
		}
		return
	}
	if !reflect.DeepEqual(was.Interface(), is.Interface()) {
		value.Set(is)
	}
}

// isOpen reports whether all fields of a struct are exported: otherwise only its package can change it.
func isOpen(t reflect.Type) bool {
	for i := range t.NumField() {
		if !t.Field(i).IsExported() {
			return false
		}
	}
	return true
}
