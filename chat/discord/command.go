package discord

import (
	"maps"
	"slices"

	disgo "github.com/disgoorg/disgo/discord"

	"norn/lang"
)

// commandName is said before every line.
const commandName = "norn"

// command is the command as Discord keeps it, as far as norn cares.
type command struct {
	Type        disgo.ApplicationCommandType   `json:"type"`
	Name        string                         `json:"name"`
	About       string                         `json:"description"`
	AboutIn     map[string]string              `json:"description_localizations"`
	Options     []option                       `json:"options"`
	Contexts    []disgo.InteractionContextType `json:"contexts"`
	InstalledBy []int                          `json:"integration_types"`
}

type option struct {
	Type      disgo.ApplicationCommandOptionType `json:"type"`
	Name      string                             `json:"name"`
	NameIn    map[string]string                  `json:"name_localizations"`
	About     string                             `json:"description"`
	AboutIn   map[string]string                  `json:"description_localizations"`
	Completed bool                               `json:"autocomplete"`
}

// command is /norn with its one line.
func (b *Bot) command() command {
	in := func(id string) (english string, others map[string]string) {
		others = map[string]string{}
		for _, l := range lang.All[1:] {
			others[string(l)] = clip(b.config.Words.In(l).Say(id), maxOption)
		}
		return clip(b.config.Words.In(lang.En).Say(id), maxOption), others
	}
	about, aboutIn := in("discord.about")
	lineAbout, lineAboutIn := in("discord.line-about")
	_, names := in("discord.line")
	return command{
		Type: disgo.ApplicationCommandTypeSlash, Name: commandName, About: about, AboutIn: aboutIn,
		Options: []option{{
			Type: disgo.ApplicationCommandOptionTypeString, Name: lineOption, NameIn: names, About: lineAbout, AboutIn: lineAboutIn, Completed: true,
		}},
		Contexts:    []disgo.InteractionContextType{disgo.InteractionContextTypeGuild, disgo.InteractionContextTypeBotDM},
		InstalledBy: []int{0}, // servers
	}
}

func (c command) same(as command) bool {
	return c.Type == as.Type && c.Name == as.Name && c.About == as.About && maps.Equal(c.AboutIn, as.AboutIn) &&
		slices.EqualFunc(c.Options, as.Options, option.same) && slices.Equal(c.Contexts, as.Contexts) && slices.Equal(c.InstalledBy, as.InstalledBy)
}

func (o option) same(as option) bool {
	return o.Type == as.Type && o.Name == as.Name && maps.Equal(o.NameIn, as.NameIn) && o.About == as.About &&
		maps.Equal(o.AboutIn, as.AboutIn) && o.Completed == as.Completed
}
