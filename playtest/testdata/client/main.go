// Command played opens a table, makes a check and answers its question, through a client generated from
// the document of norn's API.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"

	"norn.example/played/norn"
)

func main() {
	if err := play(context.Background(), os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func play(ctx context.Context, at string) error {
	client, err := norn.NewClientWithResponses(at)
	if err != nil {
		return err
	}
	opened, err := client.OpenTableWithResponse(ctx, norn.NewTable{Game: "spire", Name: "Generated"})
	if err != nil || opened.JSON201 == nil {
		return fmt.Errorf("opening a table: %v, %s", err, opened.Body)
	}
	table, secret := opened.JSON201.Id, opened.JSON201.Seat.Secret
	seated := func(_ context.Context, r *http.Request) error {
		r.Header.Set("Authorization", "Bearer "+*secret)
		return nil
	}
	kind := "character"
	name := "Vex"
	added, err := client.AddCharacterWithResponse(ctx, table, norn.NewCharacter{Kind: &kind, Name: &name}, seated)
	if err != nil || added.JSON201 == nil {
		return fmt.Errorf("adding a character: %v, %s", err, added.Body)
	}
	one, err := face(1)
	if err != nil {
		return err
	}
	made, err := client.MakeMoveWithResponse(ctx, table,
		norn.MoveRequest{Move: "check", Character: &added.JSON201.Id, Dice: &[]norn.MoveRequest_Dice_Item{one}}, seated)
	if err != nil || made.JSON202 == nil || made.JSON202.Open == nil {
		return fmt.Errorf("a check: %v, %s", err, made.Body)
	}
	question := (*made.JSON202.Open)[0]
	answered, err := client.AnswerQuestionWithResponse(ctx, table,
		norn.AnswerRequest{Question: question.Id, Answer: map[string]any{"die": "d6", "resistance": "blood"}}, seated)
	if err != nil || answered.JSON200 == nil && answered.JSON202 == nil {
		return fmt.Errorf("its question: %v, %s", err, answered.Body)
	}
	fmt.Println("played", table)
	return nil
}

func face(n int) (norn.MoveRequest_Dice_Item, error) {
	var item norn.MoveRequest_Dice_Item
	err := item.FromMoveRequestDice0(n)
	return item, err
}
