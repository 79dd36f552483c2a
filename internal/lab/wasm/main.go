//go:build js && wasm

// Command wasm runs package lab in a browser's worker: the function nornAnswer takes a question in
// JSON and returns its answer.
package main

import (
	"encoding/json"
	"syscall/js"

	"norn/internal/lab"
)

func main() {
	l := lab.New()
	js.Global().Set("nornAnswer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return answer(l, []byte(args[0].String()))
	}))
	select {}
}

// answer answers a question in JSON.
func answer(l *lab.Lab, question []byte) string {
	var q lab.Request
	if err := json.Unmarshal(question, &q); err != nil {
		q = lab.Request{}
	}
	data, err := json.Marshal(l.Respond(q))
	if err != nil {
		panic(err) // it contains only texts and finite numbers
	}
	return string(data)
}
