package script

import (
	"strings"
	"testing"
)

// Work in one step must count as its size, and no value may be larger than a few steps can process.
// Each of these scripts occupied a core for minutes, or took gigabytes, within the allowed steps.
func TestCostlyRulesHitTheStepAndSizeLimits(t *testing.T) {
	if testing.Short() {
		t.Skip("runs long rules to their bounds, which the race detector makes longer still")
	}
	for name, c := range map[string]struct{ body, want string }{
		"counting in a long text": {
			"    s = \"ab\" * 30000\n    n = 0\n    for i in range(20000):\n        n += s.count(\"a\")",
			"too many steps",
		},
		"a text of 30 MB":             {"    s = \"ab\" * 15000000", "too large"},
		"a number that squares":       {"    x = 3\n    for i in range(100):\n        x = x * x", "too large"},
		"a number that squares there": {"    x = 3\n    for i in range(100):\n        x *= x", "too large"},
		"a shifted number":            {"    x = 1\n    for i in range(100):\n        x <<= 500", "too large"},
		"a text that doubles":         {"    s = \"a\"\n    for i in range(100):\n        s += s", "too large"},
		"a list that doubles":         {"    s = [1]\n    for i in range(100):\n        s = s + s", "too large"},
		"a list that doubles there":   {"    s = [1]\n    for i in range(100):\n        s.extend(s)", "too large"},
		"a list of a range":           {"    s = list(range(1000000000))", "too large"},
		"lists in lists as a text": {
			"    s = [1]\n    for i in range(40):\n        s = [s, s]\n    t = str(s)",
			"too large",
		},
		"lists in lists compared": {
			"    a, b = [1], [1]\n    for i in range(9):\n        a, b = [a] * 20, [b] * 20\n    t = a == b",
			"too large",
		},
		"tuples in tuples as a key": {
			"    s = (1,)\n    for i in range(40):\n        s = (s, s)\n    d = {}\n    d[s] = 1",
			"too large",
		},
		"the same in another way": {
			"    s = (1,)\n    for i in range(40):\n        s = (s, s)\n    d = {s: 1}",
			"too large",
		},
		"a text full of places": {
			"    s = \"%s\" * 2000\n    t = s % tuple([\"a\" * 60000] * 2000)",
			"too large",
		},
		"a text with places":  {"    s = \"{0}\" * 2000\n    t = s.format(\"a\" * 60000)", "too large"},
		"letters for letters": {"    s = (\"a\" * 60000).replace(\"a\", \"b\" * 60000)", "too large"},
		"joined texts":        {"    s = (\"a\" * 60000).join([\"\"] * 10000)", "too large"},
		"the same by getattr": {"    s = getattr(\"a\" * 60000, \"join\")([\"\"] * 10000)", "too large"},
		"texts that are kept": {
			"    l = []\n    for i in range(20000):\n        l.append(\"a\" * 60000)",
			"too many steps",
		},
		"characters as arguments": {
			"    s = \"a\" * 60000\n    for i in range(20000):\n        max(*s.codepoints())",
			"too large",
		},
		"a list in itself as a text":   {"    s = []\n    s.append(s)\n    t = str(s)", "too large"},
		"a dict in itself as a text":   {"    s = {}\n    s[1] = s\n    t = \"%s\" % s", "too large"},
		"lists in themselves compared": {"    s, r = [], []\n    s.append(s)\n    r.append(r)\n    t = s == r", "too large"},
		"slices": {
			"    l = [0] * 16000\n    for i in range(60000):\n        m = l[1:]",
			"too many steps",
		},
		"handed on in a list": {
			"    l = [0] * 16000\n    for i in range(40000):\n        m = max(*l)",
			"too many steps",
		},
		"looked for in a list": {
			"    l = [0] * 16000\n    for i in range(60000):\n        m = 1 in l",
			"too many steps",
		},
	} {
		_, err := Compile(Text{Game: "game(\"Heavy\")\ndef f():\n" + c.body + "\nf()\n"})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// Limited operations must behave as before: values, order of evaluation and error messages.
func TestLimitedOperationsBehaveAsBefore(t *testing.T) {
	const text = `game("Same")
log = []
def at(i):
    log.append(i)
    return i
def check(is_, what):
    if not is_:
        fail(what)
def f():
    a = [1]
    b = a
    b += [2]
    check(a == [1, 2], "+= changes the list itself")
    d = {"x": 1, 2: [5]}
    d[at(2)] += [6]
    check(d == {"x": 1, 2: [5, 6]} and log == [2], "the place is worked out once")
    d["x"] += 3
    check(d["x"] == 4, "a member grows")
    check("%s and %d" % ("a", 3) == "a and 3" and "{}-{x}".format(1, x = 2) == "1-2", "texts with places")
    check(",".join(["a", "b"]) == "a,b" and "aXb".replace("X", "--") == "a--b", "texts")
    check([x * 2 for x in range(4) if x not in (1, 3)] == [0, 4], "a comprehension")
    check({k: v for k, v in {"a": 1}.items()} == {"a": 1}, "a dict of a dict")
    check((lambda x, y = 2: x + y)(*[1]) == 3, "a function in a line")
    check("abcdef"[1:4:2] == "bd" and [1, 2, 3][-1] == 3, "slices")
    check(sorted([3, 1, 2], reverse = True) == [3, 2, 1] and max([1, 9], key = lambda v: -v) == 1, "builtins")
    check(getattr({"a": 1}, "get")("a") == 1 and getattr("a", "none", 7) == 7, "getattr")
    check(1 << 3 == 8 and 7 % 4 == 3 and -3 // 2 == -2 and ({"a": 1} | {"b": 2}) == {"a": 1, "b": 2}, "operators")
f()
`
	_, err := Compile(Text{Game: text})
	if err == nil || !strings.Contains(err.Error(), "a game needs a sheet and a move") {
		t.Error(err)
	}
	for body, want := range map[string]string{
		"x = 1 + \"a\"":          "game.star:2:7: these two can’t be put together with this sign",
		"x = [1] * \"a\"":        "game.star:2:9: these two can’t be put together with this sign",
		"x = [].jion":            "has no .jion field",
		"x = 7\ny = x.join":      "this has no join, because it is a number",
		"x = {[1]: 2}":           "unhashable",
		"x = [1] < [\"a\"]":      "game.star:2:9: these two can’t be put together with this sign",
		"x = [1]\nx[0] += \"a\"": "game.star:3:6: these two can’t be put together with this sign",
		"x = [1, 2].index(3)":    "value not in list",
	} {
		if _, err := Compile(Text{Game: "game(\"Same\")\n" + body + "\n"}); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", body, err, want)
		}
	}
}
