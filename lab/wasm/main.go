//go:build js && wasm

// Command wasm runs package lab in a browser's worker: the function nornAnswer takes a question in
// JSON and returns its answer.
package main

import (
	"syscall/js"

	"norn/lab"
)

func main() {
	l := lab.New()
	js.Global().Set("nornAnswer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		return string(l.JSON([]byte(args[0].String())))
	}))
	select {}
}
