package script

// Reference lists everything that a script may call, with its arguments, for the guide; a test
// compares it with the code. "…" stands for more of the same, and for the arguments that all fields
// take.
const Reference = `game("Name", id = "name", about = "…", language = "en")
rules({"LA-01": "…"})
settings(name = field, …)

sheet("Label", group("Head", name = field, …), name = field, …, state = f, check = f)
npc("Label", …)
thing("Label", …, scene = True)

number("Label", min, max, look = "boxes", …)
track("Label", max, of = "field", look = "clock", …)
flag("Label", hides = True, …)
text("Label", …)
prose("Label", …)
choice("Label", one = "Label", other = "Label", …)
items("Label", name = field, …, max = 20)
some("Label", 2, one = "Label", other = "Label", …)
pick("Label", sheet, …)
picks("Label", sheet, …, max = 6)
pick_item("Label", "list", …)
… start = 2, secret = True, required = True, hint = "…", changed = "{who}: {to}", more = "{who}: {n}", less = "{who}: {n}",
  only = {"choice": ["one"]}

die("Label", "★", "", …)
deck("Label", one = "Label", other = "Label", …, copies = 2)
pile("Label", deck, discard = "Label")
hand("Label", deck, max = 10)

triumph("Label", short = "Label", counts = True, less = True)
good("Label", …)
mixed("Label", …)
neutral("Label", …)
bad("Label", …)
disaster("Label", …)
question("Question?", name = field, …)
move(rule, "Label", by = sheet, name = field, …, about = "…", outcomes = [done], chances = {"to succeed": [done]},
     bare = ["field"], odds = False, mark = "highest", pool = f, turn = "joins", offered = True, between = True)

stock(sheet, "Name", field = 2, …)
ready(sheet, "Name", player = True, field = 2, …)
made(rule, by = "Name", argument = 2, …, dice = [5, 2], answers = [{"field": 2}])
demo("Table", cast = [ready(…)], story = [made(…)])

count(n, d6, at_least = 5, at_most = 2, exactly = 6, called = "…", secret = True)
tally(n, d6, 6, (4, 5), …)
sum(n, d6, …)
roll(d20, …)
keep(n, d6, highest = 3, lowest = 1, …)
throw(n, d6, …)
fold(n, d6, start, f, …)
symbols(n, die, "★", …)
symbols({die: 3, other: 2}, "★", ("⚡", "☠"), …)
draw(deck, n, on = table, to = me)
discard(deck, ["sun"], of = me, on = table)
shuffle(deck, on = table)
cards_left(deck)
card(deck, "sun")
against(f, f)
part(f)
together(f, f, …)

ask(question, to = me, about = "…", assume = {"field": 2}, check = f, offer = {"field": ["one"]}, rival = True, sealed = True, free = True)
change(me, field = 2, …)
tell("{who} falls", who = me, secret = True)
came(done)
refuse("LA-01", "{who} can't.", who = me)
setting("name")
throws(foe)
let_go(foe, …)
tick("The watch", by = 2)
offer(rule, to = gm, by = me, argument = 2, …)
out("gone")
`
