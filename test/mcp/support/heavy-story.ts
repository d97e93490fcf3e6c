/**
 * One of everything that a tool can answer, with texts as long as they may be. Whatever is listed is read to its end, and
 * everything in it comes once.
 */
import { expect } from 'vitest';
import { RESULT_TOKENS } from '../../../packages/server/src/doors/mcp/tools/result-tokens.js';
import type { Connection } from '../../../packages/server/src/services/connection.js';
import { agent } from '../../kit/principals.js';
import { START, send } from '../../worklog/macp.js';
import type { NextCall, ToolWorld } from './tool-world.js';

export interface Heavy {
  /** What names, keys and reasons are made of. */
  readonly letter: string;
  readonly keyLength: number;
  readonly reasonLength: number;
  readonly files: number;
  /** Of the entries, in characters. */
  readonly entries: readonly number[];
  readonly offers: number;
  readonly maxTokens: number;
}

type Who = ReturnType<typeof agent>;

const KEY = 255;
const NAME = { characters: 100, bytes: 256 };

function nameOf(start: string, letter: string): string {
  const most = Math.floor((NAME.bytes - start.length) / Buffer.byteLength(letter));
  return start + letter.repeat(Math.min(most, NAME.characters / letter.length - start.length));
}

export async function heavyStory(world: ToolWorld, heavy: Heavy): Promise<void> {
  const { call, largest } = world;
  const { letter, maxTokens } = heavy;
  const long = (length: number, tail = '') => letter.repeat(length).slice(0, length - tail.length) + tail;
  const ann = agent(nameOf('ann', letter));
  const ben = agent(nameOf('ben', letter));
  const keyOf = (n: number) => long(Math.min(KEY, heavy.keyLength), `-${n}`).replace(/\p{Cs}/gu, 'x');
  const reason = long(heavy.reasonLength).replace(/\p{Cs}/gu, 'x');
  const first = keyOf(0);

  await call(ann, 'registerSession', { sessionKey: first, agentFrom: ann.agent, metadata: { reason } });
  for (const [index, length] of heavy.entries.entries())
    await call(ann, 'updateContext', {
      sessionKey: first,
      contextType: 'message',
      content: `needle ${index} ${letter.repeat(length)}`.replace(/\p{Cs}/gu, 'x'),
      metadata: {
        note: Object.fromEntries(
          Array.from({ length: 30 }, (_, n) => [`${long(90)}${n}`, reason.slice(0, 200)]),
        ),
      },
    });
  const requestData = { instructions: reason };
  const target = { sessionKey: first, targetAgent: ben.agent, requestType: 'full_handoff' };
  const asked = await call(ann, 'requestHandoff', { ...target, requestData, autoCommit: false });
  const { handoffId } = asked;
  const nobody = { targetAgent: nameOf('nobody', letter), requestType: 'collaboration' };
  for (let n = 10; n < 70; n++) await world.directory.atWork(agent(nameOf(`k${n}`, letter)), undefined);
  const stdio = { transport: 'stdio', since: 0 } as const;
  await call(ann, 'requestHandoff', { sessionKey: first, ...nobody, requestData }, stdio);
  const offered: string[] = [];
  for (let n = 1; n <= heavy.offers; n++) {
    const { session } = await call(ann, 'registerSession', { sessionKey: keyOf(n), agentFrom: ann.agent });
    const made = await call(ann, 'handOff', {
      sessionKey: session.sessionKey,
      to: ben.agent,
      goal: reason.slice(0, 2_000),
      files: Array.from({ length: heavy.files }, (_, file) =>
        `src/${file}: ${long(400)}`.replace(/\p{Cs}/gu, 'x'),
      ),
    });
    offered.push(made.handoffId);
  }
  await macpOffers(world, ann, ben, reason);

  await call(ben, 'whoAmI', {}, stdio);
  const secret = { content: `AKIA${'Q'.repeat(16)}`, contentType: 'text/plain' };
  const attachments = Array.from({ length: 20 }, (_, n) => ({ ...secret, name: `${n}` }));
  const spare = keyOf(heavy.offers + 1);
  await call(ann, 'registerSession', { sessionKey: spare, agentFrom: ann.agent });
  const stranger = nameOf('stranger', letter);
  const toStranger = await call(
    ann,
    'handOff',
    { sessionKey: spare, to: stranger, requestType: 'collaboration', attachments },
    stdio,
  );
  await call(ben, 'waitForHandoff', { timeoutMs: 0 });
  await call(ben, 'getHandoff', { handoffId });
  await call(ann, 'sendHandoffContext', {
    handoffId,
    contentType: 'text/plain',
    content: reason,
    name: long(180).replace(/\p{Cs}/gu, 'x'),
  });
  for (const include of [['package'], ['attachments'], ['entries'], ['package', 'entries']])
    await call(ben, 'getHandoff', { handoffId, include, maxTokens });

  const numbers = heavy.entries.map((_, index) => index + 1);
  const upTo = { handoffId, maxTokens };
  expect(await entriesOf(world, ben, { tool: 'readContext', arguments: upTo })).toEqual(numbers);
  const included = { ...upTo, include: ['package', 'entries'] };
  expect(await entriesOf(world, ben, { tool: 'getHandoff', arguments: included })).toEqual(numbers);

  expect(await found(world, ann, { query: 'needle', sessionKey: first, limit: 50 })).toEqual(
    numbers.toReversed(),
  );
  const keys = Array.from({ length: heavy.offers + 2 }, (_, n) => keyOf(n)).sort();
  expect((await listed(world, ann, 'listSessions', 'sessions', { limit: 100 })).sort()).toEqual(keys);
  for (const [who, box, count] of [
    [ben, 'inbox', heavy.offers + 2],
    [ann, 'outbox', heavy.offers + 3 + MACP_OFFERS],
  ] as const) {
    const ids = await listed(world, who, 'listHandoffs', 'handoffs', { box, limit: 200 });
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(count);
  }

  await call(ben, 'acceptHandoff', { handoffId, reason });
  await call(ann, 'commitHandoff', { handoffId, reason });
  await call(ben, 'getHandoff', { handoffId, include: ['receipt'] });
  // Lists are in the order of random ids, so whoever takes the first of one measures another offer each time.
  await call(ben, 'listHandoffs', { status: 'pending', limit: 2 });
  await call(ben, 'declineHandoff', { handoffId: offered[0], reason });
  await call(ann, 'listHandoffs', { box: 'outbox', status: 'pending', limit: 1 });
  for (const id of [offered[1], toStranger.handoffId])
    if (id !== undefined) await call(ann, 'cancelHandoff', { handoffId: id, reason });
  await call(ben, 'closeSession', { sessionKey: first, summary: reason.slice(0, 2_000) });
  for (const [n, kind] of (['offer', 'own', 'parked'] as const).entries())
    await goneOn(world, ann, ben, kind, { ...heavy, sessionKey: keyOf(heavy.offers + 2 + n), reason });
  // A tool that is not called here is neither held against its cap nor measured.
  expect([...largest.keys()].sort()).toEqual(Object.keys(RESULT_TOKENS).sort());
}

/** Work with all that a brief can hold, resumed by whoever it is for; what was added since is read to its end. */
async function goneOn(
  world: ToolWorld,
  ann: Who,
  ben: Who,
  kind: 'offer' | 'own' | 'parked',
  { sessionKey, reason, files, entries, letter, maxTokens }: Heavy & { sessionKey: string; reason: string },
): Promise<void> {
  const { call } = world;
  const stdio = { transport: 'stdio', since: world.clock.now } as const;
  await call(ann, 'registerSession', { sessionKey, agentFrom: ann.agent });
  const text = reason.slice(0, 2_000);
  const list = (count: number) => Array.from({ length: count }, (_, n) => `${n}: ${text.slice(0, 300)}`);
  const work = {
    ...{
      sessionKey,
      goal: text,
      brief: text,
      next: list(20),
      open: list(20),
      decisions: list(20),
      tried: list(20),
    },
    ...{ done: list(20), files: Array.from({ length: files }, (_, n) => `src/${n}: ${text.slice(0, 200)}`) },
  };
  const attachments = Array.from({ length: 20 }, (_, n) => ({
    name: `${n}${text.slice(0, 90)}`,
    content: 'x',
  }));
  const handed = kind !== 'own';
  const to = kind === 'offer' ? { to: ben.agent } : {};
  const left = handed ? await call(ann, 'handOff', { ...work, ...to, attachments }, stdio) : undefined;
  if (handed) expect(left).toMatchObject({ phase: kind === 'offer' ? 'offered' : 'parked' });
  const from = kind === 'offer' ? { handoffId: left?.handoffId } : { sessionKey };
  // What the owner writes takes back what was left for anybody.
  const later = kind === 'parked' ? [] : entries;
  for (const length of later)
    await call(ann, 'updateContext', {
      ...{ sessionKey, contextType: 'message' },
      content: `later ${letter.repeat(length)}`.replace(/\p{Cs}/gu, 'x'),
    });
  const who = handed ? ben : ann;
  const plain = await call(who, 'resume', { maxTokens }, stdio);
  expect(plain.others.length).toBeLessThanOrEqual(5);
  expect(await call(who, 'resume', { ...from, maxTokens }, stdio)).toMatchObject({ kind, yours: !handed });
  const got = await call(who, 'resume', { ...from, accept: true, maxTokens }, stdio);
  expect(got).toMatchObject({ kind, yours: true, sessionKey, owner: who.agent });
  expect(got.brief.text).not.toBe('');
  if (kind !== 'offer') return;
  const { count, fromSequence } = got.delta;
  expect(count).toBe(later.length);
  // What was cut is read again, from its beginning, by the call that is named.
  const cut = got.delta.entries.findIndex(({ truncated }: { truncated?: boolean }) => truncated === true);
  const whole = cut === -1 ? got.delta.entries : got.delta.entries.slice(0, cut);
  const shown = whole.map(({ sequenceNumber }: { sequenceNumber: number }) => sequenceNumber);
  const rest = got.next ? await entriesOf(world, who, got.next, stdio) : [];
  expect([...shown, ...rest]).toEqual(later.map((_, index) => fromSequence + index));
}

const MACP_OFFERS = 12;

/** Ids that another program may choose are longer than ours, and a session of its own may hold several offers. */
async function macpOffers(world: ToolWorld, ann: Who, ben: Who, reason: string) {
  const id = 'm'.repeat(128);
  const targets = [...Array.from({ length: MACP_OFFERS - 1 }, (_, n) => agent(`t${n}`)), ben];
  const participants = [ann, ...targets].map((one) => one.agent);
  expect(await send(world, ann, id, 'SessionStart', { ...START, participants })).toMatchObject({ ok: true });
  for (const [n, target] of targets.entries()) {
    const handoffId = `${'"'.repeat(250)}${n}`;
    const offer = { handoffId, targetParticipant: target.agent, scope: reason, reason };
    expect(await send(world, ann, id, 'HandoffOffer', offer)).toMatchObject({ ok: true });
    const declined = `${id}:${encodeURIComponent(handoffId)}`;
    if (target !== ben) await world.call(target, 'declineHandoff', { handoffId: declined, reason });
  }
}

/** The numbers of the entries, each once, however many pages they take. */
async function entriesOf({ call }: ToolWorld, who: Who, first: NextCall, from?: Connection) {
  const seen: number[] = [];
  for (let next: NextCall | undefined = first; next; ) {
    const page: Awaited<ReturnType<typeof call>> = await call(who, next.tool, next.arguments, from);
    for (const { sequenceNumber, offset = 0 } of page.entries ?? []) {
      if (offset === 0) seen.push(sequenceNumber);
      else expect(seen.at(-1)).toBe(sequenceNumber);
    }
    next = page.next;
  }
  return seen;
}

async function found({ call }: ToolWorld, who: Who, args: Record<string, unknown>) {
  const seen: number[] = [];
  for (let cursor: string | undefined, first = true; first || cursor; first = false) {
    const page = await call(who, 'searchContext', { ...args, ...(cursor && { cursor }) });
    seen.push(...page.hits.map(({ sequenceNumber }: { sequenceNumber: number }) => sequenceNumber));
    cursor = page.nextCursor;
  }
  return seen;
}

async function listed(
  { call }: ToolWorld,
  who: Who,
  tool: 'listSessions' | 'listHandoffs',
  field: string,
  args: Record<string, unknown>,
): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor: string | undefined, first = true; first || cursor; first = false) {
    const page = await call(who, tool, { ...args, ...(cursor && { cursor }) });
    const ids = page[field].map((one: Record<string, string>) => one.handoffId ?? one.sessionKey);
    seen.push(...ids);
    cursor = page.nextCursor;
  }
  return seen;
}
