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

/** The closest names of a short list, for somebody who can choose: at most half of the letters differ, or it begins so. */
export function nearestNames(name: string, names: Iterable<string>, limit = 3): readonly string[] {
  // What was given may be of any length; what is known is short.
  const given = name.slice(0, MAX_COMPARED).toLowerCase();
  const bare = given.replace(/^-+/, '');
  const known = [...new Set(names)].map((candidate) => {
    const begins = bare.length > 1 && candidate.replace(/^-+/, '').startsWith(bare);
    return { candidate, distance: begins ? 0 : editDistance(given, candidate) };
  });
  return known
    .filter(({ distance }) => distance <= bare.length / 2)
    .sort((left, right) => left.distance - right.distance)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

const MAX_COMPARED = 64;

/** All of them, by how little they differ; of two that differ alike the earlier one. */
export function nearestFirst(name: string, names: Iterable<string>): readonly string[] {
  const short = (text: string) => text.slice(0, MAX_COMPARED).toLowerCase();
  return [...new Set(names)]
    .map((candidate) => ({ candidate, distance: editDistance(short(name), short(candidate)) }))
    .sort((left, right) => left.distance - right.distance)
    .map(({ candidate }) => candidate);
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
