/**
 * Seeds: inputs that once showed a flaw, in `seeds/<target>/<name>.json`. One that is `open` still shows it; all others
 * are tried by every test run, so that what was mended stays mended.
 */

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { Finding } from './target.js';
import { compact, expand } from './values/compact.js';
import type { Json } from './values/json.js';

export interface Seed {
  readonly target: string;
  /** What it showed. */
  readonly found: string;
  /** The run in which it was found. */
  readonly seed: number;
  readonly index: number;
  readonly open?: boolean;
  readonly input: Json;
}

const FOLDER = new URL('./seeds/', import.meta.url);

export function readSeeds(): readonly (Seed & { readonly name: string })[] {
  if (!existsSync(FOLDER)) return [];
  return readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => {
      const seed = JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8')) as Seed;
      return { ...seed, name, input: expand(seed.input) };
    });
}

/** A larger one is found again with its numbers. */
const MAX_SEED = 100_000;

/** Kept as open: whoever mends it takes the mark away. Returns the name of the file, or how to find it again. */
export function keepSeed({ target, kind, what, seed, index, input }: Finding): string {
  const kept: Seed = { target, found: `${kind}: ${what}`, seed, index, open: true, input: compact(input) };
  const digest = createHash('sha256').update(JSON.stringify(input)).digest('hex').slice(0, 8);
  const name = `${target}/${kind}-${digest}.json`;
  const written = JSON.stringify(kept, null, 1);
  if (written.length > MAX_SEED)
    return `too large to keep: --only ${target} --seed ${seed} --cases ${index + 1}`;
  mkdirSync(new URL(`${target}/`, FOLDER), { recursive: true });
  writeFileSync(new URL(name, FOLDER), `${written}\n`);
  return name;
}
