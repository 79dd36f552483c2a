//go:build !linux

package main

import "time"

// attend reads each live stream in a goroutine.
func (h *house) attend() error {
	for n, l := range h.listeners {
		h.hearing.Go(func() {
			piece := make([]byte, pieceSize)
			for {
				read, err := l.conn.Read(piece)
				if err == nil {
					err = l.take(piece[:read], time.Now())
				}
				if err != nil {
					h.gone(n, err)
					return
				}
			}
		})
	}
	return nil
}
