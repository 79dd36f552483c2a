package discord

import (
	"context"

	disgo "github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/rest"

	"norn/chat/bridge"
	"norn/lang"
)

// commandName precedes every line.
const commandName = "norn"

// register publishes /norn with its line, in place of an earlier version.
func (b *Bot) register(ctx context.Context) error {
	app, err := rest.NewOAuth2(b.client).GetBotApplicationInfo(rest.WithCtx(ctx))
	if err != nil {
		return err
	}
	in := func(id string) (english string, others map[disgo.Locale]string) {
		others = map[disgo.Locale]string{}
		for _, l := range lang.All[1:] {
			others[disgo.Locale(l)] = bridge.Cut(b.config.Words.In(l).Say(id), maxOption)
		}
		return bridge.Cut(b.config.Words.In(lang.En).Say(id), maxOption), others
	}
	about, aboutIn := in("discord.about")
	lineAbout, lineAboutIn := in("discord.line-about")
	_, names := in("discord.line")
	_, err = rest.NewApplications(b.client).CreateGlobalCommand(app.ID, disgo.SlashCommandCreate{
		Name: commandName, Description: about, DescriptionLocalizations: aboutIn,
		Options: []disgo.ApplicationCommandOption{disgo.ApplicationCommandOptionString{
			Name: lineOption, NameLocalizations: names, Description: lineAbout, DescriptionLocalizations: lineAboutIn,
			Autocomplete: true,
		}},
		Contexts: []disgo.InteractionContextType{
			disgo.InteractionContextTypeGuild,
			disgo.InteractionContextTypeBotDM,
		},
		IntegrationTypes: []disgo.ApplicationIntegrationType{disgo.ApplicationIntegrationTypeGuildInstall},
	}, rest.WithCtx(ctx))
	return err
}
