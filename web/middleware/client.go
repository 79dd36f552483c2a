package middleware

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"

	"norn/odds"
)

// client returns who has sent a request, for the log: the address by which it is limited, or a hash
// of it. The hash's key is new at each start and never leaves the process, so a log shows which
// requests belong together and not where they came from.
func (k *Keeper) client(address string) string {
	limited := odds.Asker(address)
	if k.LogAddresses {
		return limited
	}
	hash := hmac.New(sha256.New, k.logKey)
	hash.Write([]byte(limited))
	return hex.EncodeToString(hash.Sum(nil)[:6])
}
