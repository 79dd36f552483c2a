package main

import (
	"errors"
	"io"
	"syscall"
	"time"
)

// breath is the pause of the reading goroutine after data has arrived, so that it isn't woken for
// each frame: waking a goroutine costs the writer more than the write. It counts as time that
// frames take.
const breath = time.Millisecond

// attend reads all live streams in one goroutine: waking a goroutine for each frame would cost more
// than reading it, and norn needs the cores. It takes the connections over from Go's runtime.
func (h *house) attend() error {
	poll, err := syscall.EpollCreate1(syscall.EPOLL_CLOEXEC)
	if err != nil {
		return err
	}
	files := make([]int, 0, len(h.listeners))
	leave := func() {
		for _, file := range append(files, poll) {
			_ = syscall.Close(file) // norn notices the closed connection
		}
	}
	for n, l := range h.listeners {
		file, err := own(l)
		if err != nil {
			leave()
			return err
		}
		files = append(files, file)
		const edge = 1 << 31 // EPOLLET: one notification for all new data
		if err := syscall.EpollCtl(poll, syscall.EPOLL_CTL_ADD, file,
			&syscall.EpollEvent{Events: syscall.EPOLLIN | edge, Fd: int32(n)}); err != nil {
			leave()
			return err
		}
	}
	h.hearing.Go(func() {
		defer leave()
		events, piece := make([]syscall.EpollEvent, 256), make([]byte, pieceSize)
		for wait := 0; !h.ended.Load(); {
			ready, err := syscall.EpollWait(poll, events, wait)
			if err != nil && err != syscall.EINTR {
				h.noteEnd(0, err)
				return
			}
			for _, event := range events[:max(ready, 0)] {
				n := int(event.Fd)
				if err := drain(files[n], &h.listeners[n].ear, piece); err != nil {
					h.noteEnd(n, err)
				}
			}
			if wait = 100; ready > 0 { // milliseconds
				wait = 0
				if ready < len(events) {
					time.Sleep(breath)
				}
			}
		}
	})
	return nil
}

// own returns a duplicate of a listener's connection that only the caller uses.
func own(l *listener) (file int, err error) {
	raw, err := l.conn.(syscall.Conn).SyscallConn()
	if err != nil {
		return 0, err
	}
	held := raw.Control(func(fd uintptr) { file, err = syscall.Dup(int(fd)) })
	if err := errors.Join(held, err); err != nil {
		return 0, err
	}
	err = l.conn.Close()
	l.conn = nil
	return file, err
}

// drain reads the available data: a piece that isn't full is the last.
func drain(file int, to *ear, piece []byte) error {
	for {
		n, err := syscall.Read(file, piece)
		switch {
		case err == syscall.EAGAIN:
			return nil
		case err != nil:
			return err
		case n == 0:
			return io.EOF
		}
		if err := to.take(piece[:n], time.Now()); err != nil || n < len(piece) {
			return err
		}
	}
}
