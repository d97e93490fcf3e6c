/** What was sent with a full handoff goes with the working session, to whoever has it later (assistants:4.2). */
import { describe, expect, it } from 'vitest';
import type { Payload } from '../kit/mcp-clients.js';
import { tokensOf } from './support/tool-names.js';
import { createWindows, type Window } from './support/windows.js';

const goal = 'The nightly import must finish before 06:00, measured on the replica three nights in a row.';
const next = ['Create the index'];
const SPEC = 'The importer reads the quagga feed.\nIt writes one row for each.\n';
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const spec = { name: 'spec.md', content: SPEC, contentType: 'text/markdown' };
const NOTE = { name: 'codex.txt', content: 'measured by codex: the okapi query takes 41 minutes' };

/** claude → codex with the spec, then offered to gemini with a note. */
async function twoHops() {
  const world = createWindows();
  const open = (agent: string) => {
    world.clock.now += 1_000;
    return world.open(agent);
  };
  const claude = open('claude');
  const first = await claude.call('handOff', { to: 'codex', goal, next, attachments: [spec] });
  const codex = open('codex');
  await codex.call('resume', { accept: true });
  const { sessionKey } = first;
  const hop = async () => {
    world.clock.now += 1_000;
    return codex.call('handOff', { sessionKey, to: 'gemini', goal, next, attachments: [NOTE] });
  };
  return { ...{ world, open, claude, codex, hop, sessionKey }, first: first.handoffId as string };
}

const row = (handoffId: string) => ({
  ...{ handoffId, attachment: 1, from: 'claude' },
  ...{ name: 'spec.md', bytes: SPEC.length, contentType: expect.stringContaining('text/markdown') },
});
const readFirst = (window: Window, handoffId: string) =>
  window.call('readContext', { handoffId, attachment: 1 });
const hitsOf = async (window: Window, query: string): Promise<Payload[]> =>
  (await window.call('searchContext', { query })).hits;

describe('assistants:4.2 what was sent with an earlier full handoff', () => {
  it('is listed and read when its receiver resumes once more', async () => {
    const { open, first, sessionKey } = await twoHops();
    const codex = open('codex');
    const own = await codex.call('resume');
    expect(own).toMatchObject({ kind: 'own', sessionKey, attachments: [row(first)] });
    expect(Object.keys(own.attachments[0])).not.toContain('withheld');
    const { handoffId, attachment } = own.attachments[0];
    expect(await codex.call('readContext', { handoffId, attachment })).toMatchObject({
      attachment: { text: SPEC, name: 'spec.md' },
    });
  });

  it('goes on to the next owner: after its own, with the id to read it by', async () => {
    const { open, hop, first } = await twoHops();
    const second = await hop();
    const gemini = open('gemini');
    const offered = await gemini.call('resume');
    expect(offered.attachments).toMatchObject([
      { attachment: 1, name: 'codex.txt' },
      { ...row(first), withheld: 'it can be read once the work is yours' },
    ]);
    expect(JSON.stringify(offered.attachments[1])).not.toContain('sha256');
    expect(await readFirst(gemini, first)).toMatchObject({ errorCode: 'HANDOFF_NOT_FOUND' });
    const accepted = await gemini.call('resume', { accept: true });
    expect(accepted).toMatchObject({ yours: true, handoffId: second.handoffId });
    expect(accepted.attachments[1]).toEqual(row(first));
    expect(await readFirst(gemini, first)).toMatchObject({
      attachment: { text: SPEC },
      provenance: expect.stringMatching(/^Written by claude:/),
    });
    const later = await open('gemini').call('resume');
    expect(later.attachments).toMatchObject([
      { handoffId: second.handoffId, from: 'codex', name: 'codex.txt' },
      row(first),
    ]);
  });

  it('of work that was left: names and sizes before it is picked up, all of it after that', async () => {
    const { open, codex, first, sessionKey } = await twoHops();
    await codex.call('handOff', { sessionKey, goal, next });
    const gemini = open('gemini');
    const seen = await gemini.call('resume');
    expect(seen).toMatchObject({
      kind: 'parked',
      attachments: [{ ...row(first), withheld: expect.any(String) }],
    });
    expect(await readFirst(gemini, first)).toMatchObject({ errorCode: 'HANDOFF_NOT_FOUND' });
    expect((await gemini.call('resume', { accept: true })).attachments).toEqual([row(first)]);
    expect(await readFirst(gemini, first)).toMatchObject({ attachment: { text: SPEC } });
  });

  it('who gave the work away reads what was there then, and nothing that came later', async () => {
    const { open, claude, codex, hop, first } = await twoHops();
    const second = await hop();
    await open('gemini').call('resume', { accept: true });
    expect(await readFirst(claude, first)).toMatchObject({ attachment: { text: SPEC } });
    expect(await readFirst(codex, first)).toMatchObject({ attachment: { text: SPEC } });
    expect(await readFirst(claude, second.handoffId)).toMatchObject({ errorCode: 'HANDOFF_NOT_FOUND' });
    expect(await hitsOf(claude, 'okapi')).toEqual([]);
    expect(await hitsOf(codex, 'okapi')).toHaveLength(1);
  });

  it('a collaborator reads it; who got a copy, an outsider and a tool for offers do not', async () => {
    const { open, codex, first, sessionKey } = await twoHops();
    const [helper, reader] = [open('helper'), open('reader')];
    await codex.call('handOff', { sessionKey, to: 'helper', goal, next, requestType: 'collaboration' });
    await codex.call('handOff', { sessionKey, to: 'reader', goal, next, requestType: 'context_transfer' });
    await helper.call('resume', { accept: true });
    expect(await reader.call('resume', { accept: true })).toMatchObject({ attachments: [] });
    expect(await readFirst(helper, first)).toMatchObject({ attachment: { text: SPEC } });
    for (const other of [reader, open('mallory')]) {
      expect(await readFirst(other, first)).toMatchObject({ errorCode: 'HANDOFF_NOT_FOUND' });
      expect(await hitsOf(other, 'quagga')).toEqual([]);
    }
    expect(await helper.call('getHandoff', { handoffId: first })).toMatchObject({
      errorCode: 'HANDOFF_NOT_FOUND',
    });
  });

  it('an offer that was not taken gives nobody what came with it', async () => {
    const { open, codex, hop, first } = await twoHops();
    const { handoffId } = await hop();
    await codex.call('cancelHandoff', { handoffId });
    expect((await open('codex').call('resume')).attachments).toEqual([row(first)]);
    expect(await readFirst(open('gemini'), handoffId)).toMatchObject({ errorCode: 'CONFLICT' });
    expect(await readFirst(open('gemini'), first)).toMatchObject({ errorCode: 'HANDOFF_NOT_FOUND' });
  });

  it('lists stay bounded, and the result within its tokens', async () => {
    const { open, claude, codex, sessionKey } = await twoHops();
    const name = (n: number) => `${n}-${'n'.repeat(190)}`;
    const attachments = Array.from({ length: 20 }, (_, n) => ({ name: name(n), content: `number ${n}` }));
    await codex.call('handOff', { sessionKey, to: 'claude', goal, next, attachments });
    await claude.call('resume', { accept: true });
    const all = await open('claude').call('resume', { maxTokens: 20_000 });
    expect(all.attachments).toHaveLength(20);
    expect(all.attachmentsTotal).toBe(21);
    for (const maxTokens of [1_000, 1_500, 6_000]) {
      const some = await open('claude').call('resume', { maxTokens });
      expect(tokensOf(some), String(maxTokens)).toBeLessThanOrEqual(maxTokens);
      expect(some.attachmentsTotal).toBe(21);
      expect(some.brief.text).not.toBe('');
    }
  });
});

describe('assistants:S1 searchContext', () => {
  it('finds words in text attachments of sessions that the caller may read, with the ids to read them by', async () => {
    const { open, codex, hop, first, sessionKey } = await twoHops();
    const hit = { sessionKey, handoffId: first, attachment: 1, author: 'claude', contextType: 'attachment' };
    expect(await hitsOf(codex, 'quagga feed')).toMatchObject([
      { ...hit, sequenceNumber: 1, snippet: expect.stringContaining('quagga feed') },
    ]);
    await hop();
    const gemini = open('gemini');
    expect(await hitsOf(gemini, 'quagga')).toEqual([]);
    await gemini.call('resume', { accept: true });
    expect(await hitsOf(gemini, 'quagga')).toMatchObject([hit]);
    expect(await hitsOf(gemini, 'walrus')).toEqual([]);
  });

  it('goes on from its cursor through entries, then attachments, each once; what is not text is passed over', async () => {
    const world = createWindows();
    const claude = world.open('claude');
    const texts = Array.from({ length: 7 }, (_, n) => ({ name: `${n}.txt`, content: `gnu number ${n}` }));
    const image = {
      name: 'a.png',
      content: PNG.toString('base64'),
      encoding: 'base64',
      contentType: 'image/png',
    };
    await claude.call('handOff', { to: 'codex', goal, open: ['a gnu'], attachments: [image, ...texts] });
    const codex = world.open('codex');
    await codex.call('resume', { accept: true });
    const found: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await codex.call('searchContext', { query: 'gnu', limit: 3, ...(cursor && { cursor }) });
      found.push(...page.hits.map(({ attachment }: Payload) => attachment ?? 'entry'));
      cursor = page.nextCursor;
      expect(page.complete).toBe(cursor === undefined);
    } while (cursor);
    expect(found).toEqual(['entry', 2, 3, 4, 5, 6, 7, 8]);
  });
});

describe('assistants:S2 a search', () => {
  it.each([
    ['large entries', 20, 990_000],
    ['small entries', 5_000, 4_000],
  ])(
    'of 20 MB in %s reads 16 MiB of payload at most in each call, whatever it asks the store for',
    async (_, count, length) => {
      const world = createWindows({
        MACP_MESSAGE_LIMIT_PER_MINUTE: '100000',
        HANDOVER_QUOTA_BYTES_AGENT: '0',
      });
      const claude = world.open('claude');
      await claude.call('registerSession', { sessionKey: 'large', agentFrom: 'claude' });
      const entry = (content: string) => ({ sessionKey: 'large', contextType: 'message', content });
      for (const content of ['the ibex', ...Array.from({ length: count }, () => 'x'.repeat(length))])
        await claude.call('updateContext', entry(content));
      let read = 0;
      const { store } = world;
      const inner = store.read.bind(store);
      store.read = async (...asked) => {
        const entries = await inner(...asked);
        read += entries.reduce((sum, { payload }) => sum + payload.length, 0);
        return entries;
      };
      const hits: unknown[] = [];
      const reads: number[] = [];
      for (let cursor: string | undefined, first = true; first || cursor; first = false) {
        read = 0;
        const page = await claude.call('searchContext', { query: 'ibex', ...(cursor && { cursor }) });
        hits.push(...page.hits);
        reads.push(read);
        cursor = page.nextCursor;
      }
      expect(hits).toMatchObject([{ sequenceNumber: 1 }]);
      expect(reads.length).toBe(2);
      for (const bytes of reads) expect(bytes).toBeLessThanOrEqual(16 * 2 ** 20);
    },
    60_000,
  );

  it('counts attachments into its 16 MiB, and comes to their end with its cursor', async () => {
    const world = createWindows({ MACP_MESSAGE_LIMIT_PER_MINUTE: '100000' });
    const windows = [world.open('claude'), world.open('codex')] as [Window, Window];
    const large = Array.from({ length: 4 }, (_, n) => ({ name: `${n}`, content: 'x'.repeat(990_000) }));
    const small = { name: 'old', content: 'the ibex' };
    let sessionKey: string | undefined;
    for (let hop = 0; hop < 6; hop++) {
      const [from, to] = hop % 2 === 0 ? windows : windows.toReversed();
      const said = { to: hop % 2 === 0 ? 'codex' : 'claude', goal, ...(sessionKey && { sessionKey }) };
      const attachments = hop === 0 ? [small] : large;
      sessionKey = (await from?.call('handOff', { ...said, attachments }))?.sessionKey;
      expect(await to?.call('resume', { accept: true })).toMatchObject({ yours: true });
    }
    const args = { query: 'ibex' };
    const first = await windows[0].call('searchContext', args);
    expect(first).toMatchObject({ hits: [], complete: false, nextCursor: expect.any(String) });
    const second = await windows[0].call('searchContext', { ...args, cursor: first.nextCursor });
    expect(second).toMatchObject({ hits: [{ attachment: 1, snippet: 'the ibex' }], complete: true });
  }, 60_000);
});
