/**
 * What is made of long entries of a working session is made in many turns of the loop: a search, a brief, and a brief of thousands of
 * notes, which one entry could hold before they were limited.
 */
import type { JsonObject, WorklogCommand } from '@handover/core';
import { describe, expect, it } from 'vitest';
import { fixedLimits } from '../../packages/server/src/config/fixed-limits.js';
import { readContext } from '../../packages/server/src/doors/mcp/tools/read-context.js';
import { payloadOf } from '../../packages/server/src/services/handoffs/payloads.js';
import { worklogRef } from '../../packages/server/src/services/handoffs/worklogs.js';
import { codec } from '../kit/codec.js';
import { ok } from '../kit/outcomes.js';
import { alice, bob } from '../kit/principals.js';
import { createWorld } from '../worklog/world.js';
import { turnsOf } from './support/turns.js';

const MB = 1_000_000;
/** A few milliseconds of work. */
const OF_A_TURN = 65_536;

async function open(sessionKey: string) {
  const world = createWorld();
  const { handoffs, engine, deps } = world;
  await ok(handoffs.registerSession(alice, { sessionKey, agentFrom: 'alice' }));
  const write = (content: string, metadata: JsonObject = {}) =>
    handoffs.updateContext(alice, { sessionKey, contextType: 'message', content, metadata });
  /** As it was recorded before there was a limit. */
  async function recorded(metadata: JsonObject, n: number): Promise<void> {
    const command: WorklogCommand = {
      kind: 'addContext',
      entryId: `entry-${n}`,
      contextType: 'message',
      payload: payloadOf({ contextType: 'message', content: '', metadata }, codec),
      lifetimes: deps.settingsNow().lifetimes,
      kinds: ['decision'],
    };
    const stream = worklogRef(alice.tenant, sessionKey);
    const answer = await engine.submit({
      tenant: alice.tenant,
      agent: alice.agent,
      steps: [{ stream, command }],
      bytes: command.payload.length,
    } as never);
    expect(answer).toMatchObject({ ok: true });
  }
  const brief = async () => turnsOf(ok(handoffs.summarize(alice, sessionKey)));
  return { world, handoffs, write, recorded, brief };
}

describe('hardening:H1 assistants:1.6 a search through megabytes', () => {
  it.each([
    ['that all match at their ends', `${'a'.repeat(MB - 1)}z`],
    ['of marks that are dear to normalise', '\u0345\u0301\u0316'.repeat(MB / 6)],
  ])('takes many turns: entries %s', async (_, content) => {
    const { handoffs, write } = await open('large');
    for (let n = 0; n < 4; n++) await ok(write(content));
    const { value, turns } = await turnsOf(ok(handoffs.searchContext(alice, { query: 'z', limit: 50 })));
    expect(value.hits).toHaveLength(content.endsWith('z') ? 4 : 0);
    expect(turns).toBeGreaterThan((4 * content.length) / OF_A_TURN);
  });
});

describe('hardening:H1 assistants:3.2 a brief', () => {
  it('of long entries takes many turns', async () => {
    const { write, brief } = await open('large');
    for (let n = 0; n < 5; n++) await ok(write('\r\n'.repeat(MB / 2)));
    expect((await brief()).turns).toBeGreaterThan((5 * MB) / OF_A_TURN);
  });

  it('of thousands of notes in one entry takes many turns, and still reads them', async () => {
    const { recorded, brief } = await open('noted');
    const notes = (kind: string, count: number) => Array.from({ length: count }, (_, n) => `${kind} ${n}`);
    for (let n = 0; n < 6; n++)
      await recorded({ note: { decisions: notes(`d${n}`, 1_500), tried: notes(`t${n}`, 1_500) } }, n);
    const { value, turns } = await brief();
    expect(turns).toBeGreaterThan(6 * 3_000 * (500 / OF_A_TURN));
    expect(value.text).toContain('## Decisions\n');
    const { decision = 0, tried = 0 } = value.omitted;
    const shown = [...value.text.matchAll(/^- [dt]\d \d+ \[\d\]$/gm)].length;
    expect(decision + tried + shown).toBe(6 * 3_000);
  });
});

describe('hardening:H1 assistants:1.6 reading', () => {
  const PAIRS = '\u{1f600}'.repeat(MB / 4);

  it.each([
    ['a page of many entries', {}, 0],
    ['a page of one', { afterSequence: 199 }, 1],
    ['the end of a long entry', { sequence: 200, offset: PAIRS.length / 2 - 10 }, 2],
  ])('%s takes many turns', async (_, from, walks) => {
    const { handoffs, write } = await open('large');
    for (let n = 1; n < 200; n++) await ok(write('x'.repeat(50)));
    await ok(write(PAIRS, { about: 'x'.repeat(60_000) }));
    const tool = readContext({ handoffs } as never);
    const args = { sessionKey: 'large', limit: 200, maxTokens: 20_000, ...from };
    const { value, turns } = await turnsOf(tool.run(args, { principal: alice } as never));
    expect(value).toMatchObject({ value: { lastSequence: 200 } });
    expect(turns).toBeGreaterThan((walks * PAIRS.length) / OF_A_TURN);
  });

  it('what was sent with an offer takes a turn for each, and many for a long one', async () => {
    const { handoffs, world } = await open('sent');
    const attachments = Array.from({ length: 4 }, (_, i) => ({
      name: `n${i}`,
      content: 'x'.repeat(999_000),
    }));
    const { handoffId = '' } = await ok(
      handoffs.handOff(alice, { goal: 'g', to: 'bob', sessionKey: 'sent', attachments }),
    );
    const seen = await turnsOf(ok(handoffs.getPackage(bob, { handoffId, limit: 1, bytes: 0 })));
    expect(seen.value.attachments).toHaveLength(4);
    expect(seen.turns).toBeGreaterThanOrEqual(4);
    const tool = readContext(world as never);
    const args = { handoffId, attachment: 2, offset: 998_000 };
    const { value, turns } = await turnsOf(tool.run(args, { principal: bob } as never));
    expect(value).toMatchObject({ value: { attachment: { text: 'x'.repeat(1_000) } } });
    expect(turns).toBeGreaterThan(998_000 / OF_A_TURN);
  });
});

describe('hardening:H1 assistants:3.1 notes of one entry', () => {
  const MOST = fixedLimits.notesOfEntry.value;
  const items = (count: number) => Array.from({ length: count }, (_, n) => `${n}`);

  it('are limited where they are written, with what they supersede', async () => {
    const { write } = await open('noted');
    await ok(write('', { note: { decisions: items(MOST - 2), tried: 'one', supersedes: 1 } }));
    for (const metadata of [
      { note: { decisions: items(MOST + 1) } },
      { note: { decisions: items(MOST), moods: items(1) } },
      { note: 'decision', supersedes: items(MOST) },
    ]) {
      const refused = await write('x', metadata);
      expect(refused).toMatchObject({
        rejection: {
          ...{ code: 'VALIDATION_ERROR', details: { field: 'metadata' } },
          message: expect.stringContaining(`at most ${MOST} are allowed in one entry`),
        },
      });
    }
  });

  it('and all that a handOff may say is fewer', async () => {
    const { handoffs } = await open('noted');
    const said = {
      ...{ goal: 'g', next: items(20), open: items(50), decisions: items(50), tried: items(50) },
      ...{ done: items(50), files: items(200), brief: 'b' },
    };
    expect(Object.values(said).flat().length).toBeLessThan(MOST);
    const { brief } = await ok(handoffs.handOff(alice, { ...said, to: 'bob', sessionKey: 'noted' }));
    expect(brief?.omitted).toEqual({});
  });
});
