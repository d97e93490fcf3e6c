/** Every released log replays forever: same chain, same rules, same state, whatever the code has become since. */
import { verifyStream } from '@handover/core';
import { describe, expect, it } from 'vitest';
import { nodeCodec } from '../../packages/server/src/platform/node-codec.js';
import { foldedHash } from './fold.js';
import { namesOf, pinnedHashes, pinnedTypes, readHistory, versions } from './read-histories.js';

describe.each(versions)('assistants:A4 histories of %s', (version) => {
  const hashes = pinnedHashes(version);
  const types = pinnedTypes(version);

  it('are all there, and all pinned', () => {
    const names = namesOf(version);
    expect(names).toEqual(Object.keys(hashes).sort());
    expect(names).toEqual(Object.keys(types).sort());
  });

  it.each(Object.keys(hashes))('%s replays to its pinned state', (name) => {
    const { ref, entries } = readHistory(version, name);
    expect(verifyStream(ref, entries, nodeCodec)).toMatchObject({ ok: true });
    expect(entries.map(({ type }) => type)).toEqual(types[name]);
    expect(foldedHash(ref, entries, nodeCodec)).toBe(hashes[name]);
  });
});
