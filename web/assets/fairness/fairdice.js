// What it takes to derive fair dice again, as norn throws them: SHA-256, HMAC,
// ChaCha8Rand, and dice by rejection. All of it is here because crypto.subtle
// isn't there on a page that came over plain HTTP, as at a table in one room.

const text = new TextEncoder();
const turn = (x, n) => (x >>> n) | (x << (32 - n));
const roll = (x, n) => (x << n) | (x >>> (32 - n));

// The first 32 bits of the fractional parts of square and cube roots of primes.
const [start, constants] = (() => {
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
  // The integer root of p·2^(32k), of which the lower 32 bits are what counts.
  const bits = (p, k) => {
    const square = BigInt(p) << BigInt(32 * k);
    let low = 0n, high = 1n << 40n;
    while (high - low > 1n) {
      const middle = (low + high) / 2n;
      if (middle ** BigInt(k) <= square) low = middle; else high = middle;
    }
    return Number(low & 0xFFFFFFFFn);
  };
  return [primes.slice(0, 8).map((p) => bits(p, 2)), primes.map((p) => bits(p, 3))];
})();

// sha256 gives the 32 bytes of the sum of bytes.
export function sha256(bytes) {
  const padded = new Uint8Array(((bytes.length + 8) >> 6 << 6) + 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const sum = Uint32Array.from(start);
  const w = new Uint32Array(64);
  for (let at = 0; at < padded.length; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getUint32(at + 4 * i);
    for (let i = 16; i < 64; i++) {
      const a = w[i - 15], b = w[i - 2];
      w[i] = w[i - 16] + w[i - 7] + (turn(a, 7) ^ turn(a, 18) ^ (a >>> 3)) + (turn(b, 17) ^ turn(b, 19) ^ (b >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = sum;
    for (let i = 0; i < 64; i++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + constants[i] + w[i]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((x, i) => { sum[i] += x; });
  }
  const out = new DataView(new ArrayBuffer(32));
  sum.forEach((x, i) => { out.setUint32(4 * i, x); });
  return new Uint8Array(out.buffer);
}

// hmac is HMAC-SHA-256.
export function hmac(key, message) {
  const block = new Uint8Array(64);
  block.set(key.length > 64 ? sha256(key) : key);
  const inner = sha256(joined([block.map((b) => b ^ 0x36), message]));
  return sha256(joined([block.map((b) => b ^ 0x5C), inner]));
}

function joined(pieces) {
  const all = new Uint8Array(pieces.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}

export const fromHex = (digits) => Uint8Array.from(digits.match(/../g) ?? [], (two) => parseInt(two, 16));
export const toHex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");

function before(a, b) { // in the order of bytes
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

// seed is that of one throw's dice: an HMAC under the secret of all that the
// throw hangs on, each text preceded by its length.
export function seed({ secret, shares, table, move, nonce }, place) {
  const number = (n) => {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, BigInt(n));
    return bytes;
  };
  const field = (bytes) => [number(bytes.length), bytes];
  const sorted = shares.map((s) => text.encode(s)).sort(before);
  return hmac(fromHex(secret), joined([
    ...field(text.encode("norn dice 1")), number(sorted.length), ...sorted.flatMap(field),
    ...[table, move, nonce, place].flatMap((t) => field(text.encode(t))),
  ]));
}

// words gives the 64-bit words of ChaCha8Rand (https://c2sp.org/chacha8rand).
export function* words(seed) {
  for (let key = seed; ;) {
    const output = new DataView(new ArrayBuffer(1024));
    for (let block = 0; block < 16; block++) chacha(key, block, output);
    for (let at = 0; at < 992; at += 8) yield output.getBigUint64(at, true);
    key = new Uint8Array(output.buffer, 992, 32);
  }
}

// chacha computes one block and lays it down among its four.
function chacha(key, block, output) {
  const given = new DataView(key.buffer, key.byteOffset, 32);
  const x = new Uint32Array(16);
  x.set([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]);
  for (let i = 0; i < 8; i++) x[4 + i] = given.getUint32(4 * i, true);
  x[12] = block;
  const quarter = (a, b, c, d) => {
    x[a] += x[b]; x[d] = roll(x[d] ^ x[a], 16);
    x[c] += x[d]; x[b] = roll(x[b] ^ x[c], 12);
    x[a] += x[b]; x[d] = roll(x[d] ^ x[a], 8);
    x[c] += x[d]; x[b] = roll(x[b] ^ x[c], 7);
  };
  for (let round = 0; round < 8; round += 2) {
    quarter(0, 4, 8, 12); quarter(1, 5, 9, 13); quarter(2, 6, 10, 14); quarter(3, 7, 11, 15);
    quarter(0, 5, 10, 15); quarter(1, 6, 11, 12); quarter(2, 7, 8, 13); quarter(3, 4, 9, 14);
  }
  for (let i = 0; i < 8; i++) x[4 + i] += given.getUint32(4 * i, true);
  const group = block >> 2, lane = block & 3;
  for (let i = 0; i < 16; i++) output.setUint32(256 * group + 16 * i + 4 * lane, x[i], true);
}

// thrown gives the faces of dice from a seed, by their sides.
export function thrown(seed, dice) {
  const stream = words(seed);
  return dice.map((sides) => {
    const uneven = (1n << 64n) % BigInt(sides); // so many words would favour some faces
    for (;;) {
      const product = stream.next().value * BigInt(sides);
      if ((product & 0xFFFFFFFFFFFFFFFFn) >= uneven) return Number(product >> 64n) + 1;
    }
  });
}

// verify derives the dice of a move: {table, commitment, shares, move, nonce,
// secret, throws: [{place, sides, faces}]}. It gives undefined where all fit,
// "secret" where the secret isn't what was committed to, and else the first die
// that doesn't fit as {place, die, have, want}, die from 1.
export function verify(check) {
  if (toHex(sha256(fromHex(check.secret))) !== check.commitment) return "secret";
  for (const { place, sides, faces } of check.throws) {
    const right = thrown(seed(check, place), faces.map(() => sides));
    const i = faces.findIndex((face, i) => face !== right[i]);
    if (i >= 0) return { place, die: i + 1, have: faces[i], want: right[i] };
  }
}
