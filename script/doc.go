// Package script makes a game from a folder of text: game.star, written in Starlark, a small
// Python; words.toml with translations; cases/*.txt, as for every game.
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
// A declared thing has the name of the variable that holds it, a move that of its function. A rule
// is a function that throws dice, asks players, changes sheets and writes lines of the log. It runs
// over a rule.Run like any rule, so it can be played, priced, thrown by hand, undone and verified.
// It has no clock, no randomness of its own, no files, no floats and no endless loops; global values
// are frozen once the script is read, so a run can't affect the next one. The steps of a run are
// limited and count towards the limits of an exact walk; the work and the results of a single step
// are limited, too (bound.go). Still, run only scripts that you trust. A mistake ends its run with a
// game.Refusal that says where it is.
package script
