package telegram

import (
	"strconv"
	"strings"

	"github.com/go-telegram/bot/models"

	"norn/chat/bridge"
	"norn/lang"
)

// placeID is a decoded place: the chat, and the topic in it.
type placeID struct {
	chat  int64
	topic int
}

// parsePlace decodes a place.
func parsePlace(place string) (placeID, error) {
	parts := strings.Split(place, ":")
	if len(parts) < 2 || len(parts) > 3 || parts[0] != name {
		return placeID{}, &bridge.Gone{What: "no place of Telegram: " + place}
	}
	chat, err := strconv.ParseInt(parts[1], 10, 64)
	s := placeID{chat: chat}
	if err == nil && len(parts) == 3 {
		s.topic, err = strconv.Atoi(parts[2])
	}
	if err != nil {
		return placeID{}, &bridge.Gone{What: "no place of Telegram: " + place}
	}
	return s, nil
}

// place returns the bridge's name of a chat or a topic.
func (s placeID) place() string {
	if s.topic != 0 {
		return idOf(s.chat) + ":" + strconv.Itoa(s.topic)
	}
	return idOf(s.chat)
}

// idOf returns the bridge's name of a chat, or of a person, whose private chat has the same number.
func idOf(id int64) string { return name + ":" + strconv.FormatInt(id, 10) }

// name is the prefix of places and persons.
const name = "telegram"

// person returns who did something.
func person(u models.User) bridge.Person {
	p := bridge.Person{ID: idOf(u.ID), Name: strings.TrimSpace(u.FirstName + " " + u.LastName)}
	p.Lang, _ = lang.Parse(u.LanguageCode)
	return p
}
