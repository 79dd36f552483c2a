// Package script makes a game of a folder of text: game.star, which is written in Starlark, a small
// Python; words.toml, what it says in other languages; cases/*.txt, as every game has them.
//
//	game("Lantern", about = "Keep the light going.")
//
//	hero = sheet("Hero", nerve = number("Nerve", 1, 4), hurt = track("Hurt", 6))
//
//	done = good("done")
//	hurts = bad("it hurts")
//
//	def dare(me, risk):
//	    "You try what might go wrong."
//	    if count(me.nerve, d6, at_least = 5, called = "Nerve") > 0:
//	        return done
//	    change(me, hurt = me.hurt + risk)
//	    return hurts
//
//	move(dare, "Dare", by = hero, risk = number("Risk", 1, 3))
//
// What is declared is called by the variable that holds it, a move by its function. A rule is a
// function that throws, asks, changes and tells; it's run over a rule.Run as any rule is, so it's
// played, priced, thrown by hand, undone and verified alike. It has no clock, no chance of its own,
// no files, no floats and no loop without an end; what the file holds is frozen once it's read, so
// no run can leave anything for the next. Steps of a run are bounded, and count against an exact
// walk's limits; what one step works on and makes is bounded, too (bound.go). Texts are run only
// where somebody trusts them. A mistake ends its run as a game.Refusal that says where it is.
package script
