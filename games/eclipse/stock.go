package eclipse

import (
	"norn/form"
	"norn/game"
	"norn/lang"
)

// stock are people whom anybody meets on a station.
func stock(s lang.Speaker) []game.Sample {
	person := func(id, name string, aptitude int, skills ...Skill) game.Sample {
		var n NPC
		n.Aptitudes = Aptitudes{Cog: aptitude, Int: aptitude, Ref: aptitude, Sav: aptitude, Som: aptitude, Wil: aptitude}
		n.Skills = skills
		return game.Sample{ID: id, Kind: "npc", Name: name, Sheet: n}
	}
	skill := func(name form.Trait, aptitude, kind string, value int) Skill {
		return Skill{Name: name, Aptitude: aptitude, Kind: kind, Value: value, Defaultable: true}
	}
	return []game.Sample{
		person("citizen", s.Say("eclipse.stock.citizen"), 10, skill("perceive", "int", "mental", 30), skill("kinesics", "sav", "social", 30)),
		person("guard", s.Say("eclipse.stock.guard"), 15,
			skill("perceive", "int", "mental", 45), skill("guns", "ref", "combat", 45), skill("melee", "som", "combat", 40), skill("fray", "ref", "combat", 40)),
		person("hacker", s.Say("eclipse.stock.hacker"), 15,
			skill("infosec", "cog", "technical", 60), skill("interface", "cog", "technical", 55), skill("research", "int", "technical", 50)),
		person("fixer", s.Say("eclipse.stock.fixer"), 15,
			skill("persuade", "sav", "social", 55), skill("deceive", "sav", "social", 50), skill("kinesics", "sav", "social", 50)),
		person("mercenary", s.Say("eclipse.stock.mercenary"), 20,
			skill("guns", "ref", "combat", 65), skill("melee", "som", "combat", 55), skill("fray", "ref", "combat", 60), skill("infiltrate", "ref", "physical", 50)),
	}
}
