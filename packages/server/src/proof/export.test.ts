import {
  canonicalJson,
  createExportWriter,
  exportOf,
  isFields,
  type Json,
  type JsonObject,
  readCanonical,
  readExport,
  type SoundStream,
  StreamKind,
  type StreamRef,
  verifyStream,
} from '@handover/core';
import { createMemoryStore } from '@handover/engine';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { nodeCodec as codec } from '../platform/node-codec.js';
import { at, changed, leavesOf, nameOf, otherValues } from './json-leaves.test.helper.js';
import { idOf, STORIES, sessionOf, tellStories, World } from './stories.test.helper.js';

const world = new World(createMemoryStore());
beforeAll(() => tellStories(world));

const story = (name: string) => sessionOf(idOf(name), name === 'cancelled-early' ? 'other' : 'default');
const exported = async (ref: StreamRef = story('accepted')) => exportOf(ref, await world.entries(ref), codec);

/** What `handover verify` does with an export. */
async function flawOf(value: Json): Promise<string | undefined> {
  const read = readExport(value, codec);
  if ('flaw' in read) return `${read.flaw.path} ${read.flaw.what}`;
  const verdict = verifyStream(read.ref, read.entries, codec);
  return verdict.ok ? undefined : `entry ${verdict.flaw.seq}: ${verdict.flaw.what}`;
}

describe('an export', () => {
  it.each(STORIES)('of %s, folded offline, gives the same state', async (name) => {
    const ref = story(name);
    const entries = await world.entries(ref);
    const read = readExport(JSON.parse(canonicalJson(exportOf(ref, entries, codec))), codec);
    if ('flaw' in read) throw new Error(read.flaw.what);
    expect(read.entries).toEqual(
      entries.map((entry) => ({
        ...entry,
        payload: new Uint8Array(entry.payload),
        salt: new Uint8Array(entry.salt),
      })),
    );
    const live = verifyStream(ref, entries, codec) as SoundStream;
    const offline = verifyStream(read.ref, read.entries, codec) as SoundStream;
    expect(offline.stateHash).toBe(live.stateHash);
  });

  it('of a registry can be made and read, too', async () => {
    const ref = { tenant: 'default', kind: StreamKind.Policies, id: 'policies' };
    expect(await flawOf(await exported(ref))).toBeUndefined();
  });

  it('written in pieces is the canonical JSON of the whole', async () => {
    for (const ref of [story('accepted'), story('nobody')]) {
      const writer = createExportWriter(ref, codec);
      const text = (await world.entries(ref)).map(writer.entry).join('') + writer.end();
      expect(text).toBe(canonicalJson(await exported(ref)));
    }
  });

  it('shows hashes that anybody can compute', async () => {
    const { entries } = (await exported()) as { entries: readonly JsonObject[] };
    for (const { head, facts, hash } of entries)
      expect(
        codec.sha256(codec.utf8(`handover/1${canonicalJson(head ?? null)}${canonicalJson(facts ?? null)}`)),
      ).toBe(hash);
  });
});

describe('a changed export', () => {
  it('is found and named, whichever leaf it is', async () => {
    for (const name of STORIES) {
      const document = await exported(story(name));
      expect(await flawOf(document), name).toBeUndefined();
      for (const path of leavesOf(document))
        for (const value of otherValues(at(document, path))) {
          const flaw = await flawOf(changed(document, path, value));
          expect(flaw, `${nameOf(path)} to ${JSON.stringify(value)}`).toMatch(/\S/);
        }
    }
  });

  it('is named by the place of the change, or by the entry', async () => {
    const document = await exported();
    for (const path of leavesOf(document)) {
      const flaw = (await flawOf(changed(document, path, 'changed'))) ?? '';
      const [, index] = path;
      const isFact = path[2] === 'facts' && typeof index === 'number';
      // A change of the document's own name shows at the first entry that says otherwise.
      const places =
        path.length === 1 ? ['entries[0].head', nameOf(path)] : [nameOf(path), `entries[${index}].envelope`];
      if (isFact) places.push(`entry ${Number(index) + 1}:`);
      else if (path[2] === 'head') places.push(`entry ${Number(index) + 1}:`, `entry ${document.tenant}`);
      expect(
        places.some((place) => flaw.startsWith(place)),
        `${nameOf(path)}: ${flaw}`,
      ).toBe(true);
    }
  });

  it('is found when a leaf is missing, except where it is only shown', async () => {
    const document = await exported();
    for (const path of leavesOf(document)) {
      const flaw = await flawOf(changed(document, path, undefined));
      if (path.includes('decoded') && typeof path.at(-1) === 'string') expect(flaw).toBeUndefined();
      else expect(flaw, nameOf(path)).toMatch(/\S/);
    }
  });

  it('is found when a key is added anywhere', async () => {
    const document = await exported();
    const objects = new Set(
      leavesOf(document).flatMap((path) => path.map((_, i) => JSON.stringify(path.slice(0, i)))),
    );
    for (const text of objects) {
      const path = JSON.parse(text) as (string | number)[];
      if (!isFields(at(document, path))) continue;
      expect(await flawOf(changed(document, [...path, 'added'], 1)), nameOf(path)).toMatch(/\S/);
    }
  });

  it('is found when entries are dropped, doubled or change places', async () => {
    const document = await exported();
    const entries = document.entries as readonly Json[];
    await fc.assert(
      fc.asyncProperty(fc.nat(entries.length - 1), fc.nat(entries.length - 1), async (i, j) => {
        const item = entries[i] ?? null;
        if (i < entries.length - 1)
          expect(await flawOf({ ...document, entries: entries.toSpliced(i, 1) })).toMatch(/\S/);
        expect(await flawOf({ ...document, entries: entries.toSpliced(j, 0, item) })).toMatch(/\S/);
        if (i !== j)
          expect(
            await flawOf({ ...document, entries: entries.with(i, entries[j] ?? null).with(j, item) }),
          ).toMatch(/\S/);
      }),
    );
  });

  it('is found in its text: keys twice, other spellings; but not new lines', async () => {
    const document = await exported();
    const text = canonicalJson(document);
    expect(readCanonical(JSON.stringify(JSON.parse(text), null, 2))).toHaveProperty('value');
    for (const other of [
      text.replace('"format":', '"format":"handover-export@0","format":'),
      text.replace('owner', '\\u006fwner'),
      text.replace('"v":1', '"v":1.0'),
      text.slice(0, -1),
    ])
      expect(readCanonical(other)).toHaveProperty('flaw');
  });

  it('is read even when it is large', () => {
    const value = { a: 'x"\\ '.repeat(2_000_000) };
    expect(readCanonical(canonicalJson(value))).toEqual({ value });
  });
});
