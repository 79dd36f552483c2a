package foreigntest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// GodboundSystem holds the system data of a hero of godbound-ru.
const GodboundSystem = `{"level":3,"xp":7,"hp":{"current":15,"bonus":0},
 "attributes":{"str":{"score":16},"dex":{"score":13},"con":{"score":14},"int":{"score":9},"wis":{"score":18},
  "cha":{"score":6}},
 "saves":{"hardiness":{"bonus":1},"evasion":{"bonus":0},"spirit":{"bonus":0}},"toHitBonus":1,
 "armor":{"type":"medium","shield":true,"bonus":0,"attribute":"dex","penalizeEvasion":true},
 "effort":{"total":5,"atWill":1,"scene":0,"day":2},"influence":{"total":4,"contributed":1},
 "dominion":{"total":9,"contributed":2},"facts":"<p>Tamed the tide</p><p>Owes a ferryman</p>","notes":""}`

// GodboundItems holds the items of that hero.
const GodboundItems = `
 {"type":"boundWord","name":"Salt","system":{"description":"<p>It keeps.</p>"}},
 {"type":"divineGift","name":"Brine","system":{"word":"Salt","onTurn":true,"scene":true,
  "description":"Rolls [[/r 2d6]]."}},
 {"type":"divineGift","name":"Crust","system":{"word":"Salt","constant":true,"noEffort":true,"greater":true}},
 {"type":"attack","name":"Oar","system":{"attr":"@{strength_mod}","damageRoll":"1к8","damageBonus":1,"range":"Melee"}},
 {"type":"autoHitAttack","name":"Fray","system":{"fray":true,"damageRoll":"1d8"}},
 {"type":"project","name":"A pier","system":{"committedDominion":3,"committedInfluence":1}},
 {"type":"treasure","name":"A shell","system":{"description":"It hums."}}`

// GodboundCoreSystem holds the system data of a hero of AlbrechtWM's system.
const GodboundCoreSystem = `{"coreStats":{"levelOrHD":2,"saves":{"hardiness":{"dc":-1},"evasion":{"dc":-1},"spirit":{"dc":-1,
  "isArmorPenalty":false}},
	 "ac":{"armorType":"light","hasShield":true,"miscModifier":1},"hp":{"value":10,"max":0,"miscBonus":3},
	 "effort":{"max":4,"turnCommitted":0,"sustainCommitted":1,"sceneCommitted":0,"dayCommitted":1}},
	 "attributes":{"str":{"baseScore":10,"score":10},"dex":{"baseScore":16,"score":16},"con":{"baseScore":13,
  "miscScoreModifier":3,"score":13},
	 "int":{"baseScore":8,"score":8},"wis":{"baseScore":4,"useBaseOverride":true,"baseOverrideValue":12,
  "score":12},"cha":{"baseScore":15,"score":15}},
	 "xp":4,"influence":{"max":3,"committed":1},"dominion":{"total":5,"spent":2},"facts":{"0":"Saw the wreck","1":""}}`

// GodboundCoreItems holds the items of that hero.
const GodboundCoreItems = `{"type":"word","name":"Rope","system":{"base":{"description":"Knots."}}},
	 {"type":"gift","name":"Hitch","system":{"parentWord":"Rope","act":{"speed":"action","effortCommitment":"day"},
  "isGreaterGift":true}},
	 {"type":"attack","name":"Hook","system":{"targeting":{"isMelee":true},"damage":{"numDie":1,"dieType":"1d10",
  "relevantAttribute":"dex","isStraight":true}}}`

// GodboundDetailsSystem holds the system data of a hero of Sparky939's system.
const GodboundDetailsSystem = `{"details":{"level":{"value":1,"xp":7},"frayDie":"10","wealth":2},"health":{"value":3,"max":8},
	 "attributes":{"str":{"value":25},"dex":{"value":13},"con":{"value":9},"int":{"value":10},"wis":{"value":10},
  "cha":{"value":17}},
	 "saves":{"hardiness":{},"evasion":{},"spirit":{}},"useShield":true,
	 "resources":{"dominion":{"gained":6},"effort":{"value":2,"max":2}}}`

// GodboundDetailsItems holds the items of that hero.
const GodboundDetailsItems = `{"type":"word","name":"Ash","system":{"effortOfTheWord":true,"effort":1,"cost":{"dominion":2}}},
	 {"type":"gift","name":"Cinder","system":{"word":{"name":"Ash"},"type":{"value":"turn"},
  "power":{"value":"lesser"},"effort":1}},
	 {"type":"project","name":"Kiln","system":{"cost":{"dominion":2,"influence":1}}},
	 {"type":"weapon","name":"Poker","system":{"weaponType":"medium","attribute":"str","damageDie":4}},
	 {"type":"armour","name":"Coat","system":{"worn":true,"type":"Light"}}`

// EclipseSystem holds the system data of a hero of ep2e.
const EclipseSystem = `{
 "aptitudes":{"cog":15,"int":20,"ref":10,"sav":15,"som":20,"wil":"10"},
 "skills":{"fray":{"points":20},"perceive":{"points":0},"guns":{"points":35,"specialization":"rails"},
  "freeFall":{"points":10},"psi":{"points":0}},
 "fieldSkills":{"know":[{"points":40,"field":"Tides","linkedAptitude":"int","category":"arts","id":"x"}],
  "pilot":[{"points":30,"field":"Sledge","linkedAptitude":"ref","category":"vehicle"}],"exotic":[],
  "hardware":[],"medicine":[]},
 "reps":{"@Rep":{"score":40},"cRep":{"score":0},"xRep":{"score":25}},
 "spentPools":{"insight":1,"vigor":9,"moxie":0,"flex":0},"flex":1,
 "mentalHealth":{"wounds":1,"damage":4},"shortRecharge":{"taken":1},"longRecharge":{"taken":0},
 "settings":{"useThreat":false},"description":"<p>Born <strong>outside</strong>.</p>"}`

// EclipseItems holds the items of that hero.
const EclipseItems = `
 {"type":"physicalTech","name":"Quick Eye","system":{"state":{"equipped":true},
  "description":"<p>Sees @UUID[Item.q]{light}.</p>",
  "passiveEffects":[{"type":"pool","pool":"insight","modifier":2,"usabilityModification":""}]}},
 {"type":"physicalTech","name":"Spare Eye","system":{"state":{"equipped":false},
  "passiveEffects":[{"type":"pool","pool":"insight","modifier":2}]}},
 {"type":"software","name":"Wall","system":{"state":{"equipped":true,"activated":false},"effects":[],
  "activatedEffects":[{"type":"pool","pool":"moxie","modifier":1,"usabilityModification":"disable"}]}},
 {"type":"trait","name":"Steady","system":{"state":{"level":1},"levels":[{"effects":[]},
  {"effects":[{"type":"pool","pool":"vigor","modifier":4},{"type":"pool","pool":"vigor","modifier":4}]}]}}`

// EclipseFlags holds the sleeve of that hero.
const EclipseFlags = `,"flags":{"ep2e":{"biological":null,"synthetic":{"name":"Crane","system":{
 "pools":{"insight":1,"moxie":0,"vigor":2,"flex":1},"physicalHealth":{"wounds":2}}},"infomorph":null}}`

// wodAttributes holds the members that both shapes of World of Darkness 20 have.
const wodAttributes = `"attributes":{"strength":{"value":2,"bonus":1,"total":2},"dexterity":{"value":3},
  "stamina":{"value":2},
 "charisma":{"value":4},"manipulation":{"value":2},"appearance":{"value":1},"perception":{"value":3},
  "intelligence":{"value":4},
 "wits":{"value":2},"resolve":{"value":1,"isvisible":false}},"health":{"damage":{"bashing":1,"lethal":2,
  "aggravated":0}}`

// Mage returns a mage as World of Darkness 20 keeps them, in the old shape by actor types or in the
// new one, "PC", whose numbers are items.
func Mage(version int, pc bool, name string) string {
	item := func(kind, name, system string) string {
		return fmt.Sprintf(`{"type":%q,"name":%q,"system":%s}`, kind, name, system)
	}
	rote := item("Rote", "Peal", `{"description":"<p>It rings.</p>"}`)
	if !pc {
		system := `{` + wodAttributes + `,"abilities":{"alertness":{"type":"talent","value":2},
  "animalken":{"type":"skill","value":1},
	"craft":{"type":"skill","value":3,"altlabel":"Bells"},"occult":{"type":"knowledge","value":0},
  "computer":{"type":"knowledge","value":2}},
	"advantages":{"arete":{"permanent":3},"willpower":{"permanent":6,"temporary":4}},"quintessence":{"temporary":5,
  "permanent":0},
	"paradox":{"temporary":2,"permanent":1},"spheres":{"forces":{"value":3},"time":{"value":0}}}`
		return Actor(version, "Mage", name, system, rote, "")
	}
	items := strings.Join([]string{
		item("Ability", "Бдительность", `{"id":"alertness","type":"wod.abilities.talent","value":2}`),
		item("Ability", "Animal Ken", `{"id":"animalken","type":"wod.abilities.skill","value":1}`),
		item("Ability", "Bells", `{"id":"craft","type":"wod.abilities.skill","value":3,"bonus":1}`),
		item("Ability", "Rechner", `{"id":"computer","type":"wod.abilities.knowledge","value":2}`),
		item("Advantage", "Arete", `{"id":"arete","permanent":3}`),
		item("Advantage", "Willenskraft", `{"id":"willpower","permanent":6,"temporary":4}`),
		item("Advantage", "Quintessence", `{"id":"quintessence","temporary":5}`),
		item("Advantage", "Paradox", `{"id":"paradox","temporary":2,"permanent":1}`),
		item("Sphere", "Forces", `{"id":"forces","value":3}`), rote,
	}, ",")
	return Actor(version, "PC", name, `{`+wodAttributes+`,"settings":{"splat":"mage"},
  "bio":{"concept":"Ringer"}}`, items, "")
}

// MageWithBonuses returns a mage in one of both shapes whose items change attributes and abilities, and
// who has more Quintessence and Paradox than there is room for.
func MageWithBonuses(pc bool, name string) string {
	attributes := `"attributes":{"strength":{"value":2,"bonus":1},"dexterity":{"value":3},"stamina":{"value":2},
 "charisma":{"value":4},"manipulation":{"value":2},"appearance":{"value":1},"perception":{"value":3},
  "intelligence":{"value":4},
 "wits":{"value":2}}`
	items := `
 {"type":"Bonus","name":"Ox","system":{"type":"attribute_buff","settingtype":"strength","value":1,"isactive":true}},
 {"type":"Bonus","name":"Sleep","system":{"type":"attribute_buff","settingtype":"strength","value":5,"isactive":false}},
 {"type":"Trait","name":"Veil","system":{"type":"wod.types.othertraits","bonuslist":[
  {"name":"a","type":"attribute_buff","settingtype":"wits","value":1,"isactive":true},
  {"name":"b","type":"attribute_fixed_value","settingtype":"appearance","value":3,"isactive":true}]}},
 {"type":"Armor","name":"Bell coat","system":{"isequipped":true,"dexpenalty":-1}},
 {"type":"Armor","name":"Old coat","system":{"isequipped":false,"dexpenalty":-2}},
 {"type":"Bonus","name":"Owl","system":{"type":"ability_buff","settingtype":"occult","value":1,"isactive":true}},
 {"type":"Bonus","name":"Loud","system":{"type":"attribute_dice_buff","settingtype":"charisma","value":1,
  "isactive":true}}`
	if !pc {
		return Actor(13, "Mage", name, `{`+attributes+`,"abilities":{"alertness":{"type":"talent","value":2},
 "occult":{"type":"knowledge","value":2},"computer":{"type":"knowledge","value":3}},
 "advantages":{"arete":{"permanent":3},"willpower":{"permanent":6,"temporary":4}},
 "quintessence":{"temporary":9,"permanent":0},"paradox":{"temporary":12,"permanent":3}}`, items, "")
	}
	return Actor(13, "PC", name, `{`+attributes+`,"settings":{"splat":"mage"}}`, items+`,
 {"type":"Ability","name":"A","system":{"id":"alertness","type":"wod.abilities.talent","value":2,"bonus":0}},
 {"type":"Ability","name":"Occult","system":{"id":"occult","type":"wod.abilities.knowledge","value":2,"bonus":1}},
 {"type":"Ability","name":"C","system":{"id":"computer","type":"wod.abilities.knowledge","value":3,"bonus":0}},
 {"type":"Advantage","name":"D","system":{"id":"arete","permanent":3,"max":10,"settings":{"usepermanent":true,
  "useroll":true}}},
 {"type":"Advantage","name":"E","system":{"id":"willpower","permanent":6,"temporary":4,"max":10,
  "settings":{"usepermanent":true,"usetemporary":true,"useroll":true}}},
 {"type":"Advantage","name":"F","system":{"id":"quintessence","temporary":9,"max":20,"group":"quintessence",
  "settings":{"usetemporary":true}}},
 {"type":"Advantage","name":"G","system":{"id":"paradox","temporary":12,"permanent":3,"max":20,
  "settings":{"usepermanent":true,"usetemporary":true,"useroll":true,"usebothrolls":true,"highertemporary":true}}}`, "")
}

// KeeperCells returns the cells of a hero's tab of Spire's character keeper by their places.
func KeeperCells(name string) map[string]string {
	cells := map[string]string{
		"B4": "Player Name (Pronouns)", "D4": "Mar (they)", "D5": name,
		"C12": "1", "D12": "4", "E12": "3", "C13": "0", "E13": "0", "E16": "2", "E18": "5",
		"L3": "A quiet \"word\"", "L4": "They listen,\nall of them.", "L23": "Rooftops",
		"O23": "A hooked knife", "O24": "Chalk",
		"R23": "Keep a promise", "R24": "Tell a lie", "U23": "The baker", "X23": "4",
	}
	for row := 11; row <= 19; row++ {
		cells[fmt.Sprintf("H%d", row)], cells[fmt.Sprintf("J%d", row)] = "FALSE", "FALSE"
	}
	cells["H13"], cells["H18"], cells["J14"] = "TRUE", "TRUE", "TRUE"
	return cells
}

// KeeperCSV writes a tab as CSV.
func KeeperCSV(cells map[string]string) string {
	var b strings.Builder
	for row := 1; row <= 40; row++ {
		for column := 'A'; column <= 'Z'; column++ {
			if column > 'A' {
				b.WriteByte(',')
			}
			b.WriteString(`"` + strings.ReplaceAll(cells[fmt.Sprintf("%c%d", column, row)], `"`, `""`) + `"`)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// spreadsheetML names the elements of a workbook.
const spreadsheetML = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

// KeeperXLSX writes tabs as a workbook, with the parts that Google Sheets writes: texts are shared,
// boxes to tick are of a type of their own, and whole numbers have a decimal.
func KeeperXLSX(t testing.TB, tabs ...map[string]string) string {
	t.Helper()
	parts := map[string]string{"[Content_Types].xml": "<Types/>", "xl/workbook.xml": "<workbook/>"}
	var shared strings.Builder
	count := 0
	for i, cells := range tabs {
		var rows strings.Builder
		for row := 1; row <= 40; row++ {
			fmt.Fprintf(&rows, `<row r="%d">`, row)
			for column := 'A'; column <= 'Z'; column++ {
				place := fmt.Sprintf("%c%d", column, row)
				switch text := cells[place]; {
				case text == "":
					fmt.Fprintf(&rows, `<c r="%s" s="1"/>`, place)
				case text == "TRUE" || text == "FALSE":
					fmt.Fprintf(&rows, `<c r="%s" t="b"><v>%d</v></c>`, place, strings.Count(text, "TRUE"))
				case strings.Trim(text, "0123456789") == "":
					fmt.Fprintf(&rows, `<c r="%s"><v>%s.0</v></c>`, place, text)
				default:
					fmt.Fprintf(&rows, `<c r="%s" t="s"><v>%d</v></c>`, place, count)
					shared.WriteString("<si><t>" + strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace(text) + "</t></si>")
					count++
				}
			}
			rows.WriteString("</row>")
		}
		parts[fmt.Sprintf("xl/worksheets/sheet%d.xml", i+1)] = `<worksheet xmlns="` + spreadsheetML +
			`"><sheetData>` + rows.String() + `</sheetData></worksheet>`
	}
	parts["xl/sharedStrings.xml"] = `<sst xmlns="` + spreadsheetML + `">` + shared.String() + `</sst>`
	return Zip(t, parts)
}

// Zip packs files by their names.
func Zip(t testing.TB, parts map[string]string) string { return pack(t, zip.Deflate, parts) }

// Store puts files by their names into an archive without packing them.
func Store(t testing.TB, parts map[string]string) string { return pack(t, zip.Store, parts) }

func pack(t testing.TB, method uint16, parts map[string]string) string {
	t.Helper()
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	for name, text := range parts {
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err == nil {
			_, err = w.Write([]byte(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return packed.String()
}
