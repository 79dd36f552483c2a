// Statistics of one law: rows of {label, n, p}, in order.

// numeric reports whether all rows are counts of one outcome.
export const numeric = (rows) => rows.length > 0 && rows.every((row) => row.counts && row.outcome === rows[0].outcome);

export function statistics(rows) {
  const mean = rows.reduce((sum, { n, p }) => sum + n * p, 0);
  const variance = rows.reduce((sum, { n, p }) => sum + (n - mean) ** 2 * p, 0);
  const most = Math.max(...rows.map(({ p }) => p));
  let below = 0;
  const median = rows.find(({ p }) => (below += p) >= 0.5 - 1e-12)?.n;
  return { mean, deviation: Math.sqrt(variance), median, modes: rows.filter(({ p }) => p > most - 1e-12).map(({ n }) => n) };
}

// chances are those of a row's n exactly, or of at least or at most so much.
export function chances(numbers, rows, how) {
  const of = new Map(rows.map(({ n, p }) => [n, p]));
  const exact = numbers.map((n) => of.get(n) ?? 0);
  if (how === "exactly") return exact;
  let sum = 0;
  const add = (p) => Math.min(1, sum += p);
  return how === "most" ? exact.map(add) : exact.reverse().map(add).reverse();
}

// scale returns the chance that a bar of full width shows: 1, or with many, where the numbers of one law share it, the
// smallest round chance that isn't below most, so that bars aren't too short to compare.
export function scale(most, many) {
  let of = 1;
  for (let step = 0; many && step < 60; step += 1) {
    const next = [5, 2, 1][step % 3] / 10 ** (Math.floor(step / 3) + 1);
    if (next < most) break;
    of = next;
  }
  return of;
}

// width is how long a bar is, from 0 to 1: its chance as a part of the scale, or the logarithm of it from a millionth on.
export function width(p, of, log) {
  if (!log) return Math.min(1, p / of);
  return p <= 0 ? 0 : Math.max(0.01, (Math.log10(p) + 6) / 6);
}
