package dice

import "strings"

// The words of notation in the languages of those who write it.

// edges are the names of advantage and disadvantage.
var edges = []struct {
	lowest bool
	names  []string
}{
	{false, []string{
		"with advantage", "advantage", "adv", "с преимуществом", "преимущество", "преим", "з перевагою",
		"перевага",
	}},
	{true, []string{
		"with disadvantage", "disadvantage", "disadv", "dis", "с помехой", "помеха", "із завадою",
		"з завадою", "завада",
	}},
}

// goals are the words before or after the number that a total should reach.
var goals = []struct {
	most          bool
	before, after []string
}{
	{
		false,
		[]string{"at least", "не меньше", "не менее", "минимум", "хотя бы", "не менше", "щонайменше", "мінімум"},
		[]string{
			"or more", "or better", "or higher", "и больше", "и более", "или больше", "і більше", "або більше",
			"чи більше",
		},
	},
	{
		true,
		[]string{"at most", "не больше", "не более", "максимум", "не більше", "щонайбільше"},
		[]string{"or less", "or lower", "и меньше", "и менее", "или меньше", "і менше", "або менше", "чи менше"},
	},
}

// against are the words between a total and the dice it's compared with.
var against = []string{"vs.", "vs", "versus", "against", "dc", "против", "проти", "сл", "ск"}

// readings are the words after dice that name a pattern to look for.
var readings = []struct {
	reading Reading
	names   []string
}{
	{Set, []string{"largest set", "set", "набор", "сет", "набір"}},
	{Straight, []string{"longest straight", "straight", "стрит", "стріт", "ряд"}},
}

// functions are the words before parentheses.
var functions = []struct {
	name  string
	names []string
}{
	{"max", []string{"max", "highest", "макс", "наибольшее", "найбільше"}},
	{"min", []string{"min", "lowest", "мин", "мін", "наименьшее", "найменше"}},
	{"floor", []string{"floor"}},
	{"ceil", []string{"ceil"}},
	{"round", []string{"round"}},
}

// keeps are the words that choose among dice.
var keeps = []struct {
	sign  string
	names []string
}{
	{"kl", []string{"keep lowest", "keep low", "оставить худшие", "залишити найгірші"}},
	{"km", []string{"keep middle", "middle", "mid", "средние", "середні"}},
	{"kh", []string{
		"keep highest", "keep high", "keep", "оставить лучшие", "оставить", "залишити найкращі",
		"залишити",
	}},
	{"dh", []string{"drop highest", "drop high"}},
	{"dl", []string{"drop lowest", "drop low", "drop"}},
}

// changing are words that could change the result, so a label may hold them only behind # or in
// quotes. A star matches any ending.
var changing = strings.Fields(`
	plus minus times multipl* divid* subtract* double* halve* half twice
	highest lowest higher lower best worst keep* drop* reroll* explod* advantage disadvantage
	floor ceil more less round* even odd different straight sorted smaller larger largest smallest set least most equal kept fate
	ro rr rb rl rob rol uo ns kh kl km dh dl cs cf df sf gl glitch*
	плюс минус умнож* помнож* раздел* делить делен* делён* пополам половин* удво* двойн* дважды
	лучш* худш* старш* младш* наибольш* наименьш* больший большего меньший меньшего
	округл* вверх вниз чётн* четн* нечётн* нечетн* разные меньшая большая ряд стрит набор сколько столько
	глюк* возрастанию убыванию менее более больше меньше подел*
	переброс* перебрас* взрыв* взорв* преимуществ* помех* остав* отброс* убрать убери
	мінус помнож* поділ* навпіл подво* подвійн* двічі
	вгору угору вниз униз донизу догори парн* непарн* різні менша більша стріт набір скільки стільки кращ* гірш*
	зростанням спаданням менше більше ділит*
	найкращ* найгірш* найбільш* найменш* молодш* більший меншого більшого менший
	перекид* перекин* вибух* переваг* завад* залиш* лиши* відкин* відкид*
`)
