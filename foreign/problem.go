package foreign

// Codes of problems.
const (
	Unknown     = "unknown"      // no hero of a system that is known
	OtherSystem = "other-system" // an actor of a system that no reader knows; What is its id or type
	Large       = "large"        // more than Max bytes
	Deep        = "deep"         // JSON that is nested deeper than Max
	Broken      = "broken"       // it begins like a hero's file, and isn't whole
	NoHero      = "no-hero"      // a document of Foundry that isn't an actor; What is its type
	WrongType   = "wrong-type"   // an actor that is no hero, such as an NPC; What is its type
	Several     = "several"      // several heroes in one file
	OtherGame   = "other-game"   // a hero of a system that this game doesn't know; What is its title
	OtherTab    = "other-tab"    // a tab of a character keeper that isn't as those of heroes are
	SeveralTabs = "several-tabs" // a spreadsheet with several heroes; What is their names
	Unpacked    = "unpacked"     // a spreadsheet that unpacks to more than Max bytes
)

// Problem says why a file isn't read as a hero.
type Problem struct {
	Code string
	What string
	Max  int
}

func (p *Problem) Error() string { return "foreign: " + p.Code + " " + p.What }
