/** Which known name somebody may have meant. */

/** The closest name, if it is close: at most a quarter of the letters differ. */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Math.floor(name.length / 4) + 1;
  for (const candidate of names) {
    const distance = editDistance(name, candidate);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** ` (did you mean ...?)`, or nothing. */
export function meant(name: string, names: Iterable<string>): string {
  const near = nearestName(name, names);
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

function editDistance(left: string, right: string): number {
  let row = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (const [line, letter] of [...left].entries()) {
    const next = [line + 1];
    for (const [column, other] of [...right].entries()) {
      const replace = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replace, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[right.length] ?? 0;
}
