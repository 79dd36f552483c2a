//go:build e2e

package playtest

import (
	"fmt"
	"testing"
)

// To end the session, to read the story and to find a rule by a word take at most two presses each,
// on a laptop and on a phone, in every language.
func TestCommonTasksTakeAtMostTwoPresses(t *testing.T) {
	t.Parallel()
	s := serve(t)
	const menu = ".bar > .menu:last-child > summary"
	for i, one := range []struct{ lang, line string }{
		{"en", "/rules fallout"}, {"ru", "/правила последствия"}, {"uk", "/правила наслідки"},
	} {
		for _, width := range []int64{360, 1366} {
			t.Run(fmt.Sprintf("%s at %d px", one.lang, width), func(t *testing.T) {
				t.Parallel()
				l := s.long("spire", one.lang, 3)
				gm := sit(t, fmt.Sprint("gm", i, width), width, 780)
				if width == 360 {
					gm = phone(t, fmt.Sprint("gm", i, width), width, 780)
				}
				gm.visit(s.url("/"))
				gm.run("document.cookie = 'lang=" + one.lang + "; path=/'")
				reach := func(seen string, presses ...string) {
					t.Helper()
					for _, press := range presses {
						gm.click(press)
					}
					gm.sees(seen, "")
					if len(presses) > 2 {
						t.Errorf("%s takes %d presses", seen, len(presses))
					}
				}
				gm.follows(s.url("/t/" + l.id + "/" + l.gm))
				gm.styled()
				reach(".story-chapter", menu, ".menu-body a[href$='/story']")

				gm.follows(s.url("/t/" + l.id))
				gm.styled()
				gm.says(one.line) // a press and a word
				gm.sees("#line-note a[data-rule]", "")
				reach(".rule-box dd", "#line-note a[data-rule]")
				gm.click(".rule-box > button")

				reach("#seal [data-session='2']", "[data-drawer]", "#drawer-end button")
			})
		}
	}
}

// Whatever opens over the page has a ✕ in view that closes it, on a phone of a thumb's size.
func TestEveryPopoverHasACloseButtonInView(t *testing.T) {
	t.Parallel()
	s := serve(t)
	const rule, tools = "#line-note a[data-rule]", ".sheet-more > summary"
	for _, width := range []int64{360, 1366} {
		t.Run(fmt.Sprintf("%d px", width), func(t *testing.T) {
			t.Parallel()
			l := s.long("spire", "en", 3)
			gm := sit(t, fmt.Sprint("gm", width), width, 780)
			if width == 360 {
				gm = phone(t, fmt.Sprint("gm", width), width, 780)
			}
			gm.follows(s.url("/t/" + l.id + "/" + l.gm))
			gm.styled()
			popovers := []struct{ opener, box, cross string }{
				{"details.seal > summary", "details.seal[open]", "[data-close]"},
				{"details.seat-menu > summary", "details.seat-menu[open]", "[data-close]"},
				{".bar > .menu:last-child > summary", ".bar > .menu:last-child[open]", "[data-close]"},
				{"[data-drawer]", "#drawer:is(:target, :has(:target))", ".drawer-close"},
				{".card [data-check]", "#check[open]", "form[method=dialog] button"},
				{rule, ".rule-box", "button"},
			}
			if width == 360 {
				popovers = append(popovers, struct{ opener, box, cross string }{
					".compose-open", "#composer:target", ".compose-close a",
				}, struct{ opener, box, cross string }{
					tools, ".sheet-more[open]", "[data-close]",
				})
			} else {
				popovers = append(popovers, struct{ opener, box, cross string }{"", "#keys:popover-open", "button"})
			}
			for _, one := range popovers {
				switch one.opener {
				case "":
					gm.press("?")
				case rule:
					gm.says("/rules fallout")
					gm.click(rule)
				case tools:
					gm.arrives(s.url("/t/" + l.id + "?_tab=sheet"))
					gm.click(tools)
				default:
					gm.click(one.opener)
				}
				cross := one.box + " " + one.cross
				gm.sees(cross, "✕")
				fault := fmt.Sprintf(`(() => {
					const cross = document.querySelector(%q), {left, top, right, bottom} = cross.getBoundingClientRect()
					const least = innerWidth < 768 ? 44 : 24
					if (!cross.checkVisibility() || left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) return 'out of view'
					if (right - left < least - 0.5 || bottom - top < least - 0.5) return 'only ' + (right - left) + ' by ' + (bottom - top) + ' px'
					return cross.ariaLabel || cross.innerText.length > 1 ? '' : 'without a name'
				})()`, cross)
				gm.until("see the ✕ of "+one.box, func() bool { return gm.ask(fault) == "" }, func() string {
					return gm.ask(fault)
				})
				gm.picture("open")
				gm.click(cross)
				gm.gone(one.box)
			}
		})
	}
}
