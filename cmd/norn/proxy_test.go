package main

import (
	"bufio"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"norn/cmd/norn/internal/cli"
	"norn/internal/wait"
)

// The example proxies, in front of norn's socket, serve pages below the base, pass on the client's
// address and TLS, and pass on each event of a live stream.
func TestExampleProxiesServeNorn(t *testing.T) {
	for _, c := range []struct {
		program, example string
		changed          func(text, port, dir string) string
		args             []string // %s is its configuration
	}{
		{
			"nginx", "proxy/nginx.conf", nginxOf,
			[]string{"-p", ".", "-c", "%s", "-g", "daemon off; master_process off; pid nginx.pid; error_log stderr;"},
		},
		{"caddy", "proxy/Caddyfile", caddyOf, []string{"run", "--adapter", "caddyfile", "--config", "%s"}},
	} {
		t.Run(c.program, func(t *testing.T) {
			program, err := exec.LookPath(c.program)
			if err != nil {
				t.Skipf("no %s: its example in deploy/proxy isn't tried", c.program)
			}
			dir := t.TempDir()
			at := filepath.Join(dir, "web.sock")
			s := serve(t, "--data", t.TempDir(), "--listen", "unix:"+at, "--base", "/norn", "--demo")
			s.hear(t, `^norn is open at (unix:.+/web.sock/norn)$`)

			port := freePort(t)
			example := text(t, deployed+c.example)
			changed := strings.ReplaceAll(c.changed(example, port, dir), "/run/norn/web.sock", at)
			if changed == example {
				t.Fatal("the example hasn't what is changed for the test")
			}
			certify(t, filepath.Join(dir, "site.pem"), filepath.Join(dir, "site.key"))
			config := filepath.Join(dir, "config")
			if err := os.WriteFile(config, []byte(changed), 0o600); err != nil {
				t.Fatal(err)
			}
			args := append([]string(nil), c.args...)
			for i := range args {
				args[i] = strings.ReplaceAll(args[i], "%s", config)
			}
			// the test's context would end before the proxy can be asked to stop
			proxy := exec.Command(program, args...)
			proxy.WaitDelay = 10 * time.Second
			var said strings.Builder
			proxy.Dir, proxy.Stdout, proxy.Stderr = dir, &said, &said
			proxy.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
			if err := proxy.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				_ = proxy.Process.Signal(os.Interrupt)
				_ = proxy.Wait()
				if t.Failed() {
					t.Log(said.String())
				}
			})
			checkProxied(t, "https://site.example:"+port, proxied(t, port))
			s.end(t)
		})
	}
}

// nginxOf changes the example for the test: it becomes nginx's complete configuration, for the
// test's user.
func nginxOf(text, port, dir string) string {
	text = strings.NewReplacer("listen 443 ssl", "listen 127.0.0.1:"+port+" ssl", "/etc/ssl/site.example.pem",
		dir+"/site.pem",
		"/etc/ssl/site.example.key", dir+"/site.key").Replace(text)
	user := ""
	if os.Getuid() == 0 {
		user = "user root;\n"
	}
	return user + "events {}\nhttp {\naccess_log off;\n" + text + "\n}\n"
}

func caddyOf(text, port, dir string) string {
	return "{\n\tadmin off\n\tauto_https off\n}\n" +
		strings.Replace(text, "site.example {",
			"https://site.example:"+port+" {\n\ttls "+dir+"/site.pem "+dir+"/site.key", 1)
}

// proxied returns a client that connects to the site at the port and trusts its certificate.
func proxied(t *testing.T, port string) *http.Client {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{Jar: jar, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // made for this test
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, "127.0.0.1:"+port)
		},
	}}
}

func checkProxied(t *testing.T, site string, client *http.Client) {
	t.Helper()
	wait.Until(t, "the proxy serves norn", func() bool {
		answer, err := client.Get(site + "/norn/readyz")
		if err != nil {
			return false
		}
		answer.Body.Close()
		return answer.StatusCode == http.StatusOK
	})
	path := demoAt(t, client, site+"/norn/demo/spire", "en")
	if !strings.HasPrefix(path, "/norn/t/") {
		t.Fatalf("the demo leads to %q", path)
	}
	sat, err := client.PostForm(site+path, url.Values{})
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(sat.Body)
	sat.Body.Close()
	if err != nil || sat.StatusCode != http.StatusOK || !strings.Contains(string(page), `data-live="/norn/t/`) {
		t.Fatalf("the table behind the proxy: %s, %v", sat.Status, err)
	}
	if strict := sat.Header.Get("Strict-Transport-Security"); strict == "" {
		t.Error("norn doesn't know that the reader came over TLS")
	}
	seat := strings.Split(strings.TrimPrefix(path, "/norn/t/"), "/")
	r, err := http.NewRequest(http.MethodGet, site+"/norn/api/v1/tables/"+seat[0]+"/live", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+seat[1])
	live, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer live.Body.Close()
	lines := bufio.NewScanner(live.Body)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "data:") {
	}
	data, _ := strings.CutPrefix(lines.Text(), "data:")
	if !json.Valid([]byte(data)) || data == "" {
		t.Errorf("the live stream says %q, %v", lines.Text(), lines.Err())
	}
}

// certify writes a self-signed certificate for site.example.
func certify(t *testing.T, certFile, keyFile string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), DNSNames: []string{"site.example"},
		NotAfter: time.Now().Add(time.Hour),
	}
	cert, err := x509.CreateCertificate(rand.Reader, about, about, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{
		certFile: {Type: "CERTIFICATE", Bytes: cert},
		keyFile:  {Type: "PRIVATE KEY", Bytes: private},
	} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func freePort(t *testing.T) string {
	t.Helper()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer free.Close()
	_, port, _ := net.SplitHostPort(free.Addr().String())
	return port
}

// A socket is for its owner and group, replaces one that a crash left and nothing else, and is
// removed with its norn.
func TestServeListensOnASocket(t *testing.T) {
	at := filepath.Join(t.TempDir(), "web.sock")
	left, err := net.ListenUnix("unix", &net.UnixAddr{Name: at, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	left.SetUnlinkOnClose(false)
	left.Close()
	s := serve(t, "--data", t.TempDir(), "--listen", "unix:"+at)
	s.hear(t, `^norn is open at (unix:.+)$`)
	info, err := os.Stat(at)
	if err != nil || info.Mode().Perm() != 0o660 || info.Mode().Type() != os.ModeSocket {
		t.Errorf("the socket: %v, %v; want mode 0660", info.Mode(), err)
	}
	client := http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn,
		error,
	) {
		return new(net.Dialer).DialContext(ctx, "unix", at)
	}}}
	answer, err := client.Get("http://norn.example/")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	client.CloseIdleConnections()

	other := serve(t, "--data", t.TempDir(), "--listen", "unix:"+at)
	if status := <-other.status; status != cli.Failed ||
		!strings.Contains(other.errs.String(), "another program listens on unix:") {
		t.Errorf("a second norn on the socket: status %d: %s", status, other.errs)
	}
	s.end(t)
	if _, err := os.Stat(at); !os.IsNotExist(err) {
		t.Errorf("the socket stays: %v", err)
	}

	if err := os.WriteFile(at, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	s = serve(t, "--data", t.TempDir(), "--listen", "unix:"+at)
	if status := <-s.status; status != cli.Failed || !strings.Contains(s.errs.String(), "is no socket") {
		t.Errorf("a file in the socket's place: status %d: %s", status, s.errs)
	}
	if text(t, at) != "mine" {
		t.Error("the file was changed")
	}
}

// Invalid values of --listen and --base are refused with a hint.
func TestServeRefusesInvalidSocketsAndBases(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"--listen unix:web.sock", "must name a file by its whole path"},
		{"--listen unix:/run/x/web.sock --lan", "doesn’t go with --domain"},
		{"--listen unix:/run/x/web.sock --domain table.example", "doesn’t go with --domain"},
		{"--base norn", "must be a path such as /norn"},
		{"--base /a//b", "must be a path such as /norn"},
		{"--base /a/../b", "must be a path such as /norn"},
	} {
		status, _, errs := norn(t, append([]string{"serve"}, strings.Fields(c.args)...)...)
		if status != cli.WrongUsage || !strings.Contains(errs, c.want) {
			t.Errorf("serve %s: status %d: %s", c.args, status, errs)
		}
	}
}
