package main

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func body(t *testing.T, client *http.Client, url string) (*http.Response, string) {
	t.Helper()
	answer, err := client.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(text)
}

// Metrics have a listener of their own, and the other listener offers only health.
func TestServeOffersMetricsOnASeparateListener(t *testing.T) {
	s := serve(t, "--data", t.TempDir(), "--demo", "--metrics", "127.0.0.1:0")
	link := s.hear(t, `^norn is open at (http://127\.0\.0\.1:\d+)$`)
	demo := link + demoAt(t, http.DefaultClient, s.hear(t, `^  (http://127\.0\.0\.1:\d+/demo/.+)$`), "en")
	metrics := s.hear(t, `^Metrics: (http://127\.0\.0\.1:\d+/metrics)$`)
	client := http.DefaultClient
	if _, text := body(t, client, demo); !strings.Contains(text, "</html>") {
		t.Errorf("the demo table: %s", text)
	}
	answer, text := body(t, client, metrics)
	if answer.StatusCode != http.StatusOK {
		t.Fatal(answer.Status)
	}
	for _, part := range []string{
		`norn_entries_total{kind="move"}`, `norn_journal_seconds_count{operation="append"}`,
		`norn_requests_total{route="GET /t/{table}/{secret}",status="200"} 1`,
		"\nnorn_streams 0\n", "\nnorn_tables ", "go_goroutines", "norn_build_info{version=",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("the metrics lack %s", part)
		}
	}
	for _, secret := range strings.Split(demo, "/")[4:] {
		if strings.Contains(text, secret) {
			t.Errorf("the metrics tell %s", secret)
		}
	}
	for _, at := range []string{link, strings.TrimSuffix(metrics, "/metrics")} {
		for _, path := range []string{"/healthz", "/readyz"} {
			if answer, text := body(t, client, at+path); answer.StatusCode != http.StatusOK || text != "ok\n" {
				t.Errorf("%s%s: %s %s", at, path, answer.Status, text)
			}
		}
	}
	if answer, _ := body(t, client, link+"/metrics"); answer.StatusCode != http.StatusNotFound {
		t.Errorf("metrics for everybody: %s", answer.Status)
	}
	s.end(t)
}

// No secret is logged at the most detailed level, whatever is visited with right and wrong secrets.
func TestNoSecretIsLogged(t *testing.T) {
	for _, format := range []string{"text", "json"} {
		s := serve(t, "--data", t.TempDir(), "--demo", "--metrics", "127.0.0.1:0", "--log-level", "debug",
			"--log-format", format)
		link := s.hear(t, `^norn is open at (http://127\.0\.0\.1:\d+)$`)
		var secrets []string
		client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		}}
		for range home().Games {
			gm := demoAt(t, client, s.hear(t, `^  (http://.+/demo/[a-z]+)$`), "en")
			parts := strings.Split(gm, "/")
			table, secret := parts[2], parts[3]
			secrets = append(secrets, secret)
			do := func(method, path, text string, headers ...string) {
				r, err := http.NewRequestWithContext(t.Context(), method, link+path, strings.NewReader(text))
				if err != nil {
					t.Fatal(err)
				}
				for i := 0; i < len(headers); i += 2 {
					r.Header.Set(headers[i], headers[i+1])
				}
				answer, err := client.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				answer.Body.Close()
			}
			cookie := []string{
				"Cookie", "seat_" + table + "=" + secret, "Content-Type",
				"application/x-www-form-urlencoded",
			}
			do("GET", gm, "")
			do("GET", gm+"/more", "")
			do("GET", gm+"%2e", "")
			do("GET", "/t/"+table+"?secret="+secret, "", cookie...)
			do("GET", "/t/"+table+"/live", "", append(cookie, "Last-Event-ID", secret)...)
			do("GET", "/nowhere/"+secret, "", cookie...)
			do(secret, "/", "")
			do("POST", "/join", url.Values{"link": {link + gm}}.Encode(), cookie...)
			do("POST", "/look", url.Values{"_back": {gm}}.Encode(), cookie...)
			do("POST", "/t/"+table+"/act/add-share", url.Values{"share": {strings.Repeat(secret, 20)}}.Encode(),
				cookie...)
			do("POST", "/t/"+table+"/seats", url.Values{"name": {"x"}, "role": {"player"}}.Encode(), cookie...)
			do("POST", "/t/"+table+"/move", url.Values{"_move": {secret}}.Encode(), cookie...)
			bearer := []string{"Authorization", "Bearer " + secret, "Content-Type", "application/json"}
			for _, path := range []string{"", "/log", "/live", "/dice", "/nowhere", "/log?after=" + secret} {
				do("GET", "/api/v1/tables/"+table+path, "", bearer...)
			}
			do("POST", "/api/v1/tables/"+table+"/moves", `{"move":"`+secret+`","key":"`+secret+`"}`, bearer...)
			do("POST", "/api/v1/tables/"+table+"/moves", `{"`+secret, bearer...)
			do("GET", "/api/v1/tables/"+secret, "", bearer...)
		}
		s.end(t)
		logged := s.errs.String()
		if strings.Count(logged, "route") < 20*len(home().Games) || !strings.Contains(logged, "request") {
			t.Errorf("%s: little was logged: %s", format, logged)
		}
		for _, secret := range secrets {
			if i := strings.Index(logged, secret); i >= 0 {
				t.Errorf("%s: a secret was logged: …%s", format, logged[max(0, i-200):min(len(logged), i+60)])
			}
		}
	}
}

// A server that shuts down asks live streams to reconnect.
func TestServeAsksStreamsToReconnectAtShutdown(t *testing.T) {
	s := serve(t, "--data", t.TempDir(), "--demo")
	link := s.hear(t, `^norn is open at (http.+)$`)
	demo := link + demoAt(t, http.DefaultClient, s.hear(t, `^  (http://.+/demo/.+)$`), "en")
	parts := strings.Split(demo, "/")
	ends := make(chan string, 2)
	for _, path := range []string{"/t/" + parts[4] + "/live", "/api/v1/tables/" + parts[4] + "/live"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+parts[2]+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+parts[5])
		r.AddCookie(&http.Cookie{Name: "seat_" + parts[4], Value: parts[5]})
		answer, err := http.DefaultClient.Do(r)
		if err != nil || answer.StatusCode != http.StatusOK {
			t.Fatal(answer, err)
		}
		defer answer.Body.Close()
		lines := bufio.NewReader(answer.Body)
		if _, err := lines.ReadString('\n'); err != nil { // the stream has begun
			t.Fatal(err)
		}
		go func() {
			rest, _ := io.ReadAll(lines) // the assertions below check the text
			ends <- string(rest)
		}()
	}
	s.end(t)
	for range 2 {
		rest := <-ends
		i := strings.Index(rest, "retry: ")
		if i < 0 || !strings.Contains(rest[i:], "\nevent: again\ndata: ") || !strings.HasSuffix(rest, "\n\n") {
			t.Errorf("a stream ends with %q", rest[max(0, len(rest)-200):])
		}
	}
}

// certificate writes a certificate for this machine and its key.
func certificate(t *testing.T) (cert, key string, pool *x509.CertPool) {
	t.Helper()
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
	dir := t.TempDir()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	pool = x509.NewCertPool()
	pem1 := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: signed})
	pool.AppendCertsFromPEM(pem1)
	for file, data := range map[string][]byte{
		cert: pem1,
		key:  pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}),
	} {
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key, pool
}

// Over TLS, cookies are secure and HSTS is set.
func TestServeOverTLSSecuresCookiesAndSetsHSTS(t *testing.T) {
	cert, key, pool := certificate(t)
	s := serve(t, "--data", t.TempDir(), "--demo", "--tls-cert", cert, "--tls-key", key)
	link := s.hear(t, `^norn is open at (https://127\.0\.0\.1:\d+)$`)
	demo := s.hear(t, `^  (https://127\.0\.0\.1:\d+/demo/.+)$`)
	client := &http.Client{
		Transport:     &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	defer client.CloseIdleConnections()
	// as pressing the button on the page of the link does
	answer, err := client.Post(link+demoAt(t, client, demo, "en"), "", nil)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	cookies := answer.Cookies()
	if len(cookies) != 1 || !cookies[0].Secure || !cookies[0].HttpOnly || cookies[0].SameSite != http.SameSiteLaxMode {
		t.Errorf("cookies %v", cookies)
	}
	if answer.ProtoMajor != 2 || !strings.HasPrefix(answer.Header.Get("Strict-Transport-Security"), "max-age=") {
		t.Errorf("%s with %v", answer.Proto, answer.Header)
	}
	client.CloseIdleConnections()
	s.end(t)
}
