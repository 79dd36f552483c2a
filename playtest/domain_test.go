package playtest

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	encoding "encoding/binary" // the package has a variable binary
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"norn/internal/wait"
)

const domain = "table.example"

// A server with a domain gets its certificate from an ACME authority, explains failures in one
// sentence, and reuses the certificate.
func TestADomainGetsItsCertificate(t *testing.T) {
	a := newAuthority(t)
	dir := t.TempDir()

	alone := a.norn(dir)
	alone.hears(t, "the certificate authority can’t be reached")
	if _, err := alone.get("/"); err == nil {
		t.Error("a page came without a certificate")
	}
	alone.end(t)

	elsewhere := a.start(freePort(t), freePort(t)) // it connects to ports where nobody listens
	lost := a.norn(dir)
	lost.hears(t, domain+" isn’t known in the DNS")
	lost.end(t)
	elsewhere()

	stop := a.start(a.http, a.tls)
	first := a.norn(dir)
	first.hears(t, "domain="+domain)
	if page, err := first.get("/"); err != nil || !strings.Contains(page, "</html>") {
		t.Errorf("the start page: %v %s", err, page)
	}
	plain := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1:"+a.http+"/odds?x=1", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Host = "elsewhere.example"
	answer, err := plain.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if want := "https://" + domain + ":" + a.tls + "/odds?x=1"; answer.StatusCode != http.StatusPermanentRedirect ||
		answer.Header.Get("Location") != want {
		t.Errorf("plain http: %s to %q, want 308 to %q", answer.Status, answer.Header.Get("Location"), want)
	}
	first.end(t)
	stop()

	again := a.norn(dir)
	again.hears(t, "domain="+domain)
	if _, err := again.get("/"); err != nil {
		t.Errorf("after a restart without the authority: %v", err)
	}
	again.end(t)
}

// authority is a certificate authority for tests: pebble with a DNS in which every name is this
// machine.
type authority struct {
	t               *testing.T
	program         string
	listen, manage  string // its ports
	http, tls       string // norn's
	dns             string
	cert, key, root string // files of its own certificate, and of the one that it signs with
}

func newAuthority(t *testing.T) *authority {
	program, err := filepath.Abs("../bin/pebble")
	if _, absent := os.Stat(program); err != nil || absent != nil {
		t.Skip("no bin/pebble, a certificate authority for tests: make needs builds it")
	}
	dir := t.TempDir()
	a := &authority{
		t: t, program: program, listen: freePort(t), manage: freePort(t), http: freePort(t), tls: freePort(t),
		dns: serveDNS(t), cert: filepath.Join(dir, "cert.pem"), key: filepath.Join(dir, "key.pem"),
		root: filepath.Join(dir, "root.pem"),
	}
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	signed, err := x509.CreateCertificate(rand.Reader, about, about, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	writePEM(t, a.cert, "CERTIFICATE", signed)
	writePEM(t, a.key, "PRIVATE KEY", secret)
	t.Setenv("SSL_CERT_FILE", a.cert)
	t.Setenv("PEBBLE_VA_NOSLEEP", "1")
	return a
}

func writePEM(t *testing.T, path, kind string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), 0o600); err != nil {
		t.Fatal(err)
	}
}

// start starts the authority, which validates norn at these ports, and returns a function that
// stops it.
func (a *authority) start(httpPort, tlsPort string) (stop func()) {
	a.t.Helper()
	text, err := json.Marshal(map[string]any{"pebble": map[string]any{
		"listenAddress": "127.0.0.1:" + a.listen, "managementListenAddress": "127.0.0.1:" + a.manage,
		"certificate": a.cert, "privateKey": a.key, "httpPort": json.Number(httpPort), "tlsPort": json.Number(tlsPort),
		"retryAfter": map[string]int{"authz": 1, "order": 1}, "keyAlgorithm": "ecdsa",
		"profiles": map[string]any{"default": map[string]any{"description": "usual", "validityPeriod": 7776000}},
	}})
	if err != nil {
		a.t.Fatal(err)
	}
	config := filepath.Join(a.t.TempDir(), "pebble.json")
	if err := os.WriteFile(config, text, 0o600); err != nil {
		a.t.Fatal(err)
	}
	c := exec.Command(a.program, "-config", config, "-dnsserver", a.dns)
	if err := c.Start(); err != nil {
		a.t.Fatal(err)
	}
	stop = func() {
		_ = c.Process.Kill()
		_ = c.Wait() // reports the kill
	}
	a.t.Cleanup(stop)
	client := trusting(a.t, a.cert, "")
	wait.Until(a.t, "the authority’s root", func() bool {
		answer, err := client.Get("https://127.0.0.1:" + a.manage + "/roots/0")
		if err != nil {
			return false
		}
		defer answer.Body.Close()
		root, err := io.ReadAll(answer.Body)
		return err == nil && os.WriteFile(a.root, root, 0o600) == nil
	})
	return stop
}

// secureNorn is a norn with a domain.
type secureNorn struct {
	*authority
	process *exec.Cmd
	lines   chan string // lines of its log
}

func (a *authority) norn(dir string) *secureNorn {
	a.t.Helper()
	c := exec.Command(binary, "serve", "--lang", "en", "--data", dir, "--domain", domain, "--listen",
		"127.0.0.1:"+a.tls,
		"--listen-http", "127.0.0.1:"+a.http, "--acme", "https://127.0.0.1:"+a.listen+"/dir")
	log, err := c.StderrPipe()
	if err != nil {
		a.t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		a.t.Fatal(err)
	}
	n := &secureNorn{authority: a, process: c, lines: make(chan string, 100)}
	go func() {
		defer close(n.lines)
		for scanner := bufio.NewScanner(log); scanner.Scan(); {
			n.lines <- scanner.Text()
		}
	}()
	a.t.Cleanup(func() { _ = c.Process.Kill() })
	return n
}

// hears waits for a line of the log.
func (n *secureNorn) hears(t *testing.T, part string) {
	t.Helper()
	wait.Until(t, "norn says "+part, func() bool {
		select {
		case line := <-n.lines:
			t.Log(line)
			return strings.Contains(line, part)
		default:
			return false
		}
	})
}

func (n *secureNorn) get(path string) (string, error) {
	answer, err := trusting(n.t, n.root, "127.0.0.1:"+n.tls).Get("https://" + domain + ":" + n.tls + path)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	page, err := io.ReadAll(answer.Body)
	return string(page), err
}

func (n *secureNorn) end(t *testing.T) {
	t.Helper()
	if err := n.process.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	for range n.lines { // until its output ends
	}
	if err := n.process.Wait(); err != nil {
		t.Error(err)
	}
}

// trusting returns a client that trusts only the certificate in a file, if there is one, and that
// connects to an address whatever the host, "" for the host's own.
func trusting(t *testing.T, file, address string) *http.Client {
	t.Helper()
	pool := x509.NewCertPool()
	if text, err := os.ReadFile(file); err == nil {
		pool.AppendCertsFromPEM(text)
	}
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true, TLSClientConfig: &tls.Config{RootCAs: pool},
		DialContext: func(ctx context.Context, network, host string) (net.Conn, error) {
			if address != "" {
				host = address
			}
			return (&net.Dialer{}).DialContext(ctx, network, host)
		},
	}}
}

// serveDNS serves a DNS over TCP in which every name is this machine, and returns its address.
func serveDNS(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go answerDNS(conn)
		}
	}()
	return listener.Addr().String()
}

// answerDNS answers the questions of a connection. Each message is preceded by its length.
func answerDNS(conn net.Conn) {
	defer conn.Close()
	for {
		var length uint16
		if encoding.Read(conn, encoding.BigEndian, &length) != nil {
			return
		}
		packed := make([]byte, length)
		if _, err := io.ReadFull(conn, packed); err != nil {
			return
		}
		var message dnsmessage.Message
		if message.Unpack(packed) != nil || len(message.Questions) != 1 {
			return
		}
		message.Response, message.RecursionAvailable, message.Additionals = true, true, nil
		if q := message.Questions[0]; q.Type == dnsmessage.TypeA {
			message.Answers = []dnsmessage.Resource{{
				Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class, TTL: 1},
				Body:   &dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}},
			}}
		}
		answer, err := message.Pack()
		if err != nil {
			return
		}
		if _, err := conn.Write(append(encoding.BigEndian.AppendUint16(nil, uint16(len(answer))),
			answer...)); err != nil {
			return
		}
	}
}

// freePort returns a port on which nobody listens now.
func freePort(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return fmt.Sprint(listener.Addr().(*net.TCPAddr).Port)
}
