package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http/httputil"
	"strconv"
	"time"
)

// patience limits the time of anything before it counts as broken.
const patience = 30 * time.Second

// caller is one keep-alive connection for requests, one after another. It writes HTTP/1.1 itself,
// because the generator shares its cores with what it measures.
type caller struct {
	conn  net.Conn
	r     *bufio.Reader
	host  string
	more  string // additional header lines of each request
	media string // media type of bodies
	out   []byte
	body  []byte
}

func dial(address string) (*caller, error) {
	conn, err := net.DialTimeout("tcp", address, patience)
	if err != nil {
		return nil, err
	}
	return &caller{conn: conn, r: bufio.NewReader(conn), host: address, media: "application/json"}, nil
}

// do makes a request. The answer's body is valid until the next one.
func (c *caller) do(method, path, secret string, body []byte) (status int, answer []byte, err error) {
	if err := c.conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return 0, nil, err
	}
	c.out = append(head(c.out[:0], method, path, c.host, secret), c.more...)
	if body != nil {
		c.out = append(append(append(c.out, "Content-Type: "...), c.media...), "\r\nContent-Length: "...)
		c.out = strconv.AppendInt(c.out, int64(len(body)), 10)
		c.out = append(c.out, "\r\n"...)
	}
	c.out = append(append(c.out, "\r\n"...), body...)
	if _, err := c.conn.Write(c.out); err != nil {
		return 0, nil, err
	}
	status, length, chunked, err := readHead(c.r)
	if err != nil {
		return 0, nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	if chunked {
		body, err := io.ReadAll(httputil.NewChunkedReader(c.r))
		if err == nil {
			_, err = c.r.Discard(2) // the line that ends the trailer
		}
		return status, body, err
	}
	if cap(c.body) < length {
		c.body = make([]byte, length)
	}
	c.body = c.body[:length]
	if _, err := io.ReadFull(c.r, c.body); err != nil {
		return 0, nil, fmt.Errorf("%s %s: %w", method, path, err)
	}
	return status, c.body, nil
}

func head(out []byte, method, path, host, secret string) []byte {
	for _, text := range []string{method, " ", path, " HTTP/1.1\r\nHost: ", host, "\r\n"} {
		out = append(out, text...)
	}
	if secret != "" {
		out = append(append(append(out, "Authorization: Bearer "...), secret...), "\r\n"...)
	}
	return out
}

// readHead reads an answer's head: its status, and the length or encoding of its body.
func readHead(r *bufio.Reader) (status, length int, chunked bool, err error) {
	line, err := r.ReadSlice('\n')
	if err != nil {
		return 0, 0, false, err
	}
	if len(line) < 12 {
		return 0, 0, false, fmt.Errorf("the answer begins with %q", line)
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, 0, false, fmt.Errorf("the answer begins with %q", line)
	}
	for {
		line, err := r.ReadSlice('\n')
		if err != nil {
			return 0, 0, false, err
		}
		name, value, _ := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte(": "))
		switch {
		case len(name) == 0:
			return status, length, chunked, nil
		case bytes.EqualFold(name, []byte("Content-Length")):
			if length, err = strconv.Atoi(string(value)); err != nil {
				return 0, 0, false, err
			}
		case bytes.EqualFold(name, []byte("Transfer-Encoding")):
			chunked = bytes.EqualFold(value, []byte("chunked"))
		}
	}
}

// pieceSize is larger than most frames, so that one read gets each.
const pieceSize = 16 << 10

// listener is one live stream.
type listener struct {
	ear
	conn  net.Conn
	early []byte // data after the headers
}

// listen opens a live stream and returns the seq that it begins after. from is an address of this
// machine: one address has too few ports for very many streams.
func listen(address, from, path, secret string) (l *listener, begin uint64, err error) {
	dialer := net.Dialer{Timeout: patience}
	if from != "" {
		dialer.LocalAddr = &net.TCPAddr{IP: net.ParseIP(from)}
	}
	conn, err := dialer.Dial("tcp", address)
	if err != nil {
		return nil, 0, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("%s: %w", path, err), conn.Close())
		}
	}()
	if _, err := conn.Write(append(head(nil, "GET", path, address, secret), "\r\n"...)); err != nil {
		return nil, 0, err
	}
	r := bufio.NewReader(conn)
	status, _, chunked, err := readHead(r)
	if err == nil && (status != 200 || chunked) {
		err = fmt.Errorf("status %d, in chunks: %t", status, chunked)
	}
	l = &listener{conn: conn}
	begun := false
	l.hear = func(seq uint64, _ bool, _ time.Time) { begin, begun = seq, true }
	for err == nil && !begun {
		var line []byte
		if line, err = r.ReadSlice('\n'); err == nil {
			err = l.take(line, time.Time{})
		}
	}
	if err == nil {
		l.early, err = io.ReadAll(io.LimitReader(r, int64(r.Buffered())))
	}
	return l, begin, err
}
