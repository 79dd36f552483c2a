// Statistics of one law: rows of {label, n, p}, in order.

// numeric tells whether all rows are counts of one outcome.
export const numeric = (rows) => rows.length > 0 && rows.every((row) => row.n !== undefined && row.outcome === rows[0].outcome);

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

// width is how long a bar is, from 0 to 1: by the chance, or by its logarithm from a millionth on.
export function width(p, most, log) {
  if (!log) return most > 0 ? p / most : 0;
  return p <= 0 ? 0 : Math.max(0.01, (Math.log10(p) + 6) / 6);
}
