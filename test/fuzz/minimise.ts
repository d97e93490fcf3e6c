/** Makes an input smaller as long as it shows the same kind of flaw. Bounded: it is a courtesy to whoever reads the seed. */
import { type Flaw, signatureOf, type Target } from './target.js';
import type { Json } from './values/json.js';

const MAX_TRIES = 400;
const MAX_MS = 15_000;

export async function minimise(target: Target, input: Json, flaw: Flaw): Promise<Json> {
  const until = performance.now() + MAX_MS;
  let tries = 0;
  let best = input;
  const stillFails = async (candidate: Json): Promise<boolean> => {
    tries++;
    const shown = await target.replay(candidate);
    return shown !== undefined && signatureOf(shown) === signatureOf(flaw);
  };
  const open = () => tries < MAX_TRIES && performance.now() < until;
  // It may have depended on what came before it: then it stays as it was found.
  if (!(await stillFails(input))) return input;
  for (let improved = true; improved && open(); ) {
    improved = false;
    for (const candidate of smaller(best)) {
      if (!open()) break;
      if (!(await stillFails(candidate))) continue;
      best = candidate;
      improved = true;
      break;
    }
  }
  return best;
}

/** Simpler values in place of this one, the boldest first. */
function* smaller(value: Json): Generator<Json> {
  if (typeof value === 'string') yield* smallerText(value);
  else if (Array.isArray(value)) yield* smallerList(value);
  else if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value);
    for (const [at] of entries.entries()) yield Object.fromEntries(entries.toSpliced(at, 1));
    for (const [at, [name, member]] of entries.entries())
      for (const less of smaller(member)) yield Object.fromEntries(entries.with(at, [name, less]));
  }
}

function* smallerText(value: string): Generator<string> {
  for (let size = value.length; size >= 1; size = Math.floor(size / 2))
    for (let at = 0; at < value.length; at += size) yield value.slice(0, at) + value.slice(at + size);
}

function* smallerList(list: Json[]): Generator<Json> {
  for (let size = list.length; size >= 1; size = Math.floor(size / 2))
    for (let at = 0; at < list.length; at += size) yield list.toSpliced(at, size);
  for (const [at, member] of list.entries()) for (const less of smaller(member)) yield list.with(at, less);
}
