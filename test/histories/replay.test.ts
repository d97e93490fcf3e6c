/** Every released log replays forever: same chain, same rules, same state, whatever the code has become since. */
import { readdirSync, readFileSync } from 'node:fs';
import { readExport, type SessionState, sessionDecider, stateHash, verifyStream } from '@handover/core';
import { describe, expect, it } from 'vitest';
import { nodeCodec } from '../../packages/server/src/platform/node-codec.js';

const here = new URL('.', import.meta.url);
const versions = readdirSync(here, { withFileTypes: true })
  .filter((item) => item.isDirectory())
  .map(({ name }) => name);

describe.each(versions)('histories of %s', (version) => {
  const file = (name: string) => JSON.parse(readFileSync(new URL(`${version}/${name}`, here), 'utf8'));
  const pins = file('state-hashes.json') as Record<string, string>;

  it('are all there', () => {
    const names = readdirSync(new URL(`${version}/`, here)).filter((name) => name !== 'state-hashes.json');
    expect(names.map((name) => name.replace('.json', '')).sort()).toEqual(Object.keys(pins).sort());
  });

  it.each(Object.keys(pins))('%s replays to its pinned state', (name) => {
    const read = readExport(file(`${name}.json`), nodeCodec);
    if ('flaw' in read) throw new Error(read.flaw.what);
    expect(verifyStream(read.ref, read.entries, nodeCodec)).toMatchObject({ ok: true });
    const state = read.entries.reduce<SessionState | undefined>(
      (folded, entry) => sessionDecider.evolve(folded, entry),
      undefined,
    );
    expect(state && stateHash(state, nodeCodec)).toBe(pins[name]);
  });
});
