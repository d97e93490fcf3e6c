/** assistants 1.4: a handoff in one call, on the services. */
import { readFileSync } from 'node:fs';
import { type EntryHead, HANDOFF_MODE, type JsonObject, StreamKind, WorklogEntryType } from '@handover/core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Connection } from '../../packages/server/src/services/connection.js';
import type { HandOffArgs } from '../../packages/server/src/services/handoffs/hand-off-types.js';
import { worklogRef } from '../../packages/server/src/services/handoffs/worklogs.js';
import { policiesRef, sessionRef } from '../../packages/server/src/services/stream-refs.js';
import { code, ok } from '../kit/outcomes.js';
import { alice, bob, carol, mallory } from '../kit/principals.js';
import { expectSound } from './macp.js';
import { createWorld, T0, type World } from './world.js';

const shop: Connection = {
  transport: 'stdio',
  since: 0,
  instance: 'aaaaaaaa',
  project: { id: 'git:0123456789abcdef', name: 'The Shop!' },
};
const said = { goal: 'The nightly import must finish before 06:00.', next: ['Create the index', 'Measure'] };

let world: World;
beforeEach(() => {
  world = createWorld();
});

const handOff = (args: HandOffArgs = {}, connection: Connection | undefined = shop, who = alice) =>
  world.handoffs.handOff(who, args, connection);
const entriesOf = (key: string) =>
  world.store.read(worklogRef('default', key), 0, { entries: 100, bytes: 1e8 });
const typesOf = (entries: readonly EntryHead[]) => entries.map(({ type }) => type);
const stateOf = async (key: string) => (await world.engine.query(worklogRef('default', key)))?.state;
const packageOf = async (handoffId: string, who = bob) =>
  (await ok(world.handoffs.getPackage(who, { handoffId }))).package;
const inbox = async (who = bob) =>
  (await ok(world.handoffs.listHandoffs(who, { box: 'inbox', status: 'pending' }))).handoffs;
const count = async (kind: StreamKind) =>
  (await world.engine.list({ tenant: 'default', kind, limit: 100 })).length;

describe('assistants:H1 on an empty server', () => {
  it('one call opens the session and offers it; one acceptance moves it, with a receipt', async () => {
    const handed = await ok(handOff({ to: 'bob', ...said }));
    expect(handed).toMatchObject({
      sessionKey: expect.stringMatching(/^the-shop-20270115-[0-9a-hjkmnp-tv-z]{4}$/),
      status: 'pending',
      phase: 'offered',
      to: 'bob',
      expiresAt: T0 + 7 * 86_400_000,
      sequenceNumber: 1,
      attachments: 0,
      brief: { tokenBudget: 4_000, omitted: {} },
      instruction: 'bob has it when it accepts; you need not wait. cancelHandoff withdraws it.',
    });
    const { sessionKey, handoffId = '' } = handed;
    expect(typesOf(await entriesOf(sessionKey))).toEqual([
      WorklogEntryType.Registered,
      WorklogEntryType.ContextAdded,
      WorklogEntryType.Parked,
      WorklogEntryType.HandoffRequested,
    ]);
    expect(await stateOf(sessionKey)).toMatchObject({
      project: { id: 'git:0123456789abcdef', name: 'The Shop!' },
      lastInstance: 'aaaaaaaa',
      goalSequence: 1,
      parked: { takers: ['bob'], requestType: 'full_handoff', by: 'owner' },
    });
    const handedOver = await packageOf(handoffId);
    expect(handedOver).toMatchObject({ brief: { tokens: handed.brief.tokens } });
    expect(
      'brief' in (handedOver ?? {}) && handedOver && 'brief' in handedOver
        ? handedOver.brief.text.split('\n').slice(2)
        : [],
    ).toEqual([
      '## Goal',
      '- The nightly import must finish before 06:00. [1]',
      '## Next',
      '- Create the index [1]',
      '- Measure [1]',
    ]);
    expect(await ok(world.handoffs.acceptHandoff(bob, { handoffId }))).toMatchObject({ phase: 'committed' });
    expect((await stateOf(sessionKey))?.owner).toBe('bob');
    expect((await stateOf(sessionKey))?.parked).toBeUndefined();
    expect(await ok(world.handoffs.getReceipt(bob, handoffId))).toMatchObject({
      commit: 'on-accept',
      chosen: 'default',
      holder: 'bob',
    });
    await expectSound(world);
  });

  it('without a receiver it is left for anyone, and attachments are entries of the session', async () => {
    const attachments = [
      { name: 'plan.md', content: '# Plan' },
      { name: 'dump.bin', content: 'AAEC', encoding: 'base64', contentType: 'application/x-dump' } as const,
    ];
    const handed = await ok(handOff({ ...said, attachments, expiresIn: 60 }));
    expect(handed).toMatchObject({
      phase: 'parked',
      sequenceNumber: 3,
      attachments: 2,
      expiresAt: T0 + 60_000,
    });
    expect(handed).not.toHaveProperty('handoffId');
    const { sessionKey } = handed;
    expect((await stateOf(sessionKey))?.parked).toMatchObject({ takers: ['*'], until: T0 + 60_000 });
    const { entries } = await ok(world.handoffs.readContext(alice, { sessionKey, afterSequence: 0 }));
    expect(entries).toMatchObject([
      {
        contextType: 'message',
        content:
          '## Goal\nThe nightly import must finish before 06:00.\n\n## Next\n- Create the index\n- Measure',
        metadata: {},
      },
      { contextType: 'file', content: '# Plan', metadata: { path: 'plan.md', contentType: 'text/plain' } },
      {
        content: 'AAEC',
        metadata: { path: 'dump.bin', contentType: 'application/x-dump', encoding: 'base64' },
      },
    ]);
    const { text } = await ok(world.handoffs.summarize(alice, sessionKey));
    expect(text).toContain('## Files\n- plan.md [2]\n- dump.bin [3]');
    expect(text.match(/nightly import/g)).toHaveLength(1);
    await expectSound(world);
  });

  it('to oneself is the same as to nobody', async () => {
    expect(await ok(handOff({ ...said, to: 'alice' }))).toMatchObject({ phase: 'parked' });
    expect(await count(StreamKind.Session)).toBe(0);
  });

  it('attachments go with the offer, by name and in order', async () => {
    const attachments = [
      { name: 'plan.md', content: '# Plan' },
      { name: 'Größe.bin', content: 'AAEC', encoding: 'base64' } as const,
    ];
    const { handoffId = '', sequenceNumber } = await ok(handOff({ to: 'bob', ...said, attachments }));
    expect(sequenceNumber).toBe(1);
    expect((await ok(world.handoffs.getPackage(bob, { handoffId }))).attachments).toMatchObject([
      { attachment: 1, name: 'plan.md', contentType: 'text/plain', bytes: 6, late: false },
      { attachment: 2, name: 'Größe.bin', bytes: 3 },
    ]);
    expect(await ok(world.handoffs.readAttachment(bob, { handoffId, attachment: 1 }))).toMatchObject({
      text: '# Plan',
    });
  });
});

describe('what is said', () => {
  it('goal, next, open and brief replace what was said before; the rest adds', async () => {
    await ok(
      handOff({ ...said, open: ['Who pays?'], decisions: ['SQLite'], done: ['Schema'], brief: 'Long.' }),
    );
    await ok(handOff({ goal: 'Before 05:00.', decisions: ['WAL'], open: [], brief: ' ' }));
    const { sessionKey } = await ok(handOff({ next: ['Ship'], files: ['a.ts: entry'], tried: ['Locks'] }));
    expect(await count(StreamKind.Worklog)).toBe(1);
    const { text } = await ok(world.handoffs.summarize(alice, sessionKey));
    expect(text.split('\n').slice(2)).toEqual([
      ...['## Goal', '- Before 05:00. [2]', '## Next', '- Ship [3]', '## Open', '- Who pays? [1]'],
      ...['## Brief', '- Long. [1]', '## Decisions', '- SQLite [1]', '- WAL [2]'],
      ...['## Dead ends', '- Locks [3]', '## Done', '- Schema [1]', '## Files', '- a.ts: entry [3]'],
    ]);
  });

  it('the package is pinned to the log: the hash before, and the digest of what was added', async () => {
    const validate = new Ajv2020().compile(
      JSON.parse(
        readFileSync(new URL('../../schemas/json/handover-package.schema.json', import.meta.url), 'utf8'),
      ) as object,
    );
    const first = await ok(handOff({ to: 'bob', ...said }));
    const { sessionKey } = first;
    const second = await ok(handOff({ to: 'bob', goal: 'Another.', sessionKey }));
    const { codec } = world.deps;
    const entries = await entriesOf(sessionKey);
    const added = entries.filter(({ type }) => type === WorklogEntryType.ContextAdded);
    for (const [index, { handoffId = '' }] of [first, second].entries()) {
      const handed = await packageOf(handoffId, alice);
      expect(validate(handed), JSON.stringify(validate.errors)).toBe(true);
      expect(handed?.manifest).toEqual({
        firstSequence: 1,
        lastSequence: index + 1,
        entries: index + 1,
        counts: { message: index + 1 },
        headHash: index === 0 ? '0'.repeat(64) : added[0]?.hash,
        added: {
          sequence: index + 1,
          digest: `sha256:${codec.sha256(added[index]?.payload ?? new Uint8Array())}`,
        },
      });
    }
  });

  it('assistants:H6 nothing, after three plain entries: the session as it stands', async () => {
    await ok(world.handoffs.registerSession(alice, { sessionKey: 'k', agentFrom: 'alice' }, shop));
    for (const content of ['one', 'two', 'three'])
      await ok(
        world.handoffs.updateContext(alice, { sessionKey: 'k', contextType: 'message', content }, shop),
      );
    const handed = await ok(handOff({ to: 'bob' }));
    expect(handed).toMatchObject({
      sessionKey: 'k',
      sequenceNumber: 3,
      warnings: [{ code: 'THIN', characters: 11 }, { code: 'NO_GOAL' }, { code: 'NO_NEXT' }],
    });
    expect(handed.brief.tokens).toBeGreaterThan(20);
    const handedOver = await packageOf(handed.handoffId ?? '');
    expect(handedOver?.manifest).not.toHaveProperty('added');
    expect(handedOver?.manifest.headHash).toBe((await entriesOf('k'))[3]?.hash);
  });

  it('a note that the brief shortens is named', async () => {
    const { warnings } = await ok(
      handOff({ ...said, decisions: ['x'.repeat(4_000)], brief: 'y'.repeat(10_000) }),
    );
    expect(warnings).toEqual([
      { code: 'NOTE_CUT', kind: 'decision', characters: 4_000 },
      { code: 'NOTE_CUT', kind: 'brief', characters: 10_000 },
    ]);
  });
});

describe('assistants:H3 the same idempotency key', () => {
  const args = { ...said, idempotencyKey: 'one' };
  const noWindow: Connection = { transport: 'http', since: 0 };

  it.each([
    ['offered', { to: 'bob' }, shop],
    ['left', {}, shop],
    ['offered, from no window', { to: 'bob' }, noWindow],
    ['left, from no window', {}, noWindow],
  ] as const)(
    '%s: one session, and the same answer, also from a new process the day after',
    async (_, more, from) => {
      const first = await ok(handOff({ ...args, ...more }, from));
      expect(await handOff({ ...args, ...more }, from)).toEqual({ value: first, replayed: true });
      world.clock.now += 3_600_000;
      const after = createWorld(world.store);
      after.clock.now = world.clock.now;
      expect(await after.handoffs.handOff(alice, { ...args, ...more }, from)).toEqual({
        value: first,
        replayed: true,
      });
      expect([await count(StreamKind.Worklog), await count(StreamKind.Session)]).toEqual([
        1,
        'to' in more ? 1 : 0,
      ]);
      expect((await stateOf(first.sessionKey))?.lastNumber).toBe(1);
      await expectSound(world);
    },
  );

  it('twice at once', async () => {
    const both = await Promise.all([handOff({ ...args, to: 'bob' }), handOff({ ...args, to: 'bob' })]);
    const [one, two] = await Promise.all(both.map((outcome) => ok(Promise.resolve(outcome))));
    expect(one?.handoffId).toBe(two?.handoffId);
    expect(both.filter((outcome) => 'replayed' in outcome)).toHaveLength(1);
    expect([await count(StreamKind.Worklog), await count(StreamKind.Session)]).toEqual([1, 1]);
  });

  it.each([
    ['another goal', { goal: 'Other.' }],
    ['another receiver', { to: 'carol' }],
    ['nobody', { to: undefined }],
    ['an attachment', { attachments: [{ name: 'a', content: 'b' }] }],
  ])('with %s is another request: a conflict, and nothing changes', async (_, more) => {
    const { sessionKey } = await ok(handOff({ ...args, to: 'bob' }));
    const before = (await entriesOf(sessionKey)).length;
    const changed = Object.fromEntries(
      Object.entries({ ...args, to: 'bob', ...more }).filter(([, value]) => value !== undefined),
    );
    expect(await code(handOff(changed))).toBe('CONFLICT');
    expect((await entriesOf(sessionKey)).length).toBe(before);
    expect(await count(StreamKind.Worklog)).toBe(1);
  });

  it('answers also when the work has moved', async () => {
    const first = await ok(handOff({ ...args, to: 'bob' }));
    await ok(world.handoffs.acceptHandoff(bob, { handoffId: first.handoffId ?? '' }));
    const again = await handOff({ ...args, to: 'bob' });
    expect(again).toMatchObject({ replayed: true, value: { phase: 'committed', status: 'completed' } });
  });
});

describe('assistants:H5 a second handoff', () => {
  it('to the same receiver replaces the first, which is cancelled with the reason', async () => {
    const first = await ok(handOff({ to: 'bob', ...said }));
    const second = await ok(handOff({ to: 'bob', next: ['Ship'] }));
    expect(second.sessionKey).toBe(first.sessionKey);
    expect((await inbox()).map(({ handoffId }) => handoffId)).toEqual([second.handoffId]);
    expect(await ok(world.handoffs.getHandoff(alice, first.handoffId ?? ''))).toMatchObject({
      phase: 'cancelled',
    });
    const cancel = (
      await world.store.read(
        { tenant: 'default', kind: StreamKind.Session, id: (first.handoffId ?? '').split(':')[0] ?? '' },
        0,
        { entries: 10, bytes: 1e6 },
      )
    ).find(({ type }) => type === 'SessionCancel');
    expect(world.deps.codec.text(cancel?.payload ?? new Uint8Array())).toContain(
      `replaced by ${second.handoffId}`,
    );
    expect(await stateOf(first.sessionKey)).toMatchObject({
      pending: [{ target: 'bob' }],
      parked: { takers: ['bob'] },
    });
    await expectSound(world);
  });

  it('replaces what was left for anyone', async () => {
    const { sessionKey } = await ok(handOff(said));
    await ok(handOff({ to: 'bob', sessionKey }));
    expect((await stateOf(sessionKey))?.parked).toMatchObject({ takers: ['bob'] });
    expect(await count(StreamKind.Worklog)).toBe(1);
  });

  it('to another receiver, or to nobody, is refused while an offer of the work stands', async () => {
    await world.directory.atWork(bob, undefined);
    const { handoffId, sessionKey } = await ok(handOff({ to: 'bob', ...said }));
    const before = (await entriesOf(sessionKey)).length;
    for (const to of [{ to: 'carol' }, {}, { to: 'carol', requestType: 'collaboration' } as const])
      expect(await handOff({ ...to, goal: 'x' })).toMatchObject({
        rejection: { code: 'CONFLICT', details: { handoffId } },
      });
    expect((await entriesOf(sessionKey)).length).toBe(before);
    expect(await inbox(carol)).toEqual([]);
  });

  it('does not take back what was accepted and waits for its owner', async () => {
    const { handoffId = '' } = await ok(handOff({ to: 'bob', ...said, autoCommit: false }));
    await ok(world.handoffs.acceptHandoff(bob, { handoffId }));
    expect(await handOff({ to: 'bob', goal: 'x' })).toMatchObject({
      rejection: { code: 'CONFLICT', details: { handoffId } },
    });
  });
});

describe('autoCommit false', () => {
  it('leaves nothing to be picked up when the offer has expired', async () => {
    const { sessionKey, expiresAt } = await ok(handOff({ to: 'bob', ...said, autoCommit: false }));
    expect((await stateOf(sessionKey))?.parked).toBeUndefined();
    expect(expiresAt).toBe(T0 + world.deps.settingsNow().handoffTtlMs);
  });

  it('needs a receiver', async () => {
    expect(await code(handOff({ ...said, autoCommit: false }))).toBe('VALIDATION_ERROR');
    expect(await code(handOff({ ...said, policy: 'p' }))).toBe('VALIDATION_ERROR');
  });
});

describe('a policy', () => {
  const register = async (policyId: string, rules: JsonObject) => {
    const policy = { policyId, mode: HANDOFF_MODE, description: '', schemaVersion: 1, rules };
    const step = { stream: policiesRef('default', false), command: { kind: 'register', policy } } as const;
    expect(await world.engine.submit({ agent: 'admin', steps: [step], bytes: 1 })).toMatchObject({
      ok: true,
    });
  };
  const phaseOf = async (handoffId: string) => (await ok(world.handoffs.getHandoff(bob, handoffId))).phase;

  it('assistants:1.4 that is registered is bound to the session, and decides', async () => {
    await register('quiet', { acceptance: { implicit_accept_timeout_ms: 5_000 } });
    const { handoffId = '', sessionKey } = await ok(handOff({ to: 'bob', ...said, policy: 'quiet' }));
    const [session = ''] = handoffId.split(':');
    const [start] = await world.store.load(sessionRef('default', session), 0, 1);
    expect(start?.facts).toMatchObject({ policy: { policy_id: 'quiet' } });
    expect(await phaseOf(handoffId)).toBe('offered');
    world.clock.now += 6_000;
    expect(await phaseOf(handoffId)).toBe('committed');
    expect(await ok(world.handoffs.getSession(bob, sessionKey))).toMatchObject({ owner: 'bob' });
    await expectSound(world);
  });

  it('assistants:0 by which others commit: autoCommit is false by default, and true is refused', async () => {
    await register('judge', { commitment: { authority: 'designated_role', designated_roles: ['judge'] } });
    const args = { to: 'bob', ...said, policy: 'judge' };
    expect(await handOff({ ...args, autoCommit: true })).toMatchObject({
      rejection: { code: 'VALIDATION_ERROR', details: { issues: [{ field: 'autoCommit' }] } },
    });
    const { handoffId = '' } = await ok(handOff(args));
    expect(await ok(world.handoffs.acceptHandoff(bob, { handoffId }))).toMatchObject({ phase: 'accepted' });
  });
});

describe('the offer', () => {
  it('lives for the smaller of expiresIn and the setting', async () => {
    const { handoffId = '', expiresAt } = await ok(handOff({ to: 'bob', ...said, expiresIn: 60 }));
    expect(expiresAt).toBe(T0 + 60_000);
    expect((await ok(world.handoffs.getHandoff(bob, handoffId))).expiresAt).toBe(T0 + 60_000);
    world.clock.now += 60_001;
    expect(await ok(world.handoffs.getHandoff(bob, handoffId))).toMatchObject({ phase: 'expired' });
  });
});

describe('wrong', () => {
  it('says nothing, in no session or an empty one', async () => {
    expect(await handOff({ to: 'bob' })).toMatchObject({
      rejection: {
        code: 'VALIDATION_ERROR',
        message: expect.stringMatching(/^say at least goal, next or brief; .*decisions/),
      },
    });
    await ok(world.handoffs.registerSession(alice, { sessionKey: 'k', agentFrom: 'alice' }, shop));
    expect(await code(handOff({ next: [], goal: ' \n' }))).toBe('VALIDATION_ERROR');
    expect(await count(StreamKind.Worklog)).toBe(1);
  });

  it('names a session that is unknown, another’s, shared, closed or expired', async () => {
    expect(await code(handOff({ ...said, sessionKey: 'no' }))).toBe('SESSION_NOT_FOUND');
    const { sessionKey } = await ok(handOff(said));
    expect(await code(handOff({ ...said, sessionKey }, shop, mallory))).toBe('SESSION_NOT_FOUND');
    const shared = await ok(handOff({ ...said, to: 'bob', requestType: 'collaboration', sessionKey }));
    await ok(world.handoffs.acceptHandoff(bob, { handoffId: shared.handoffId ?? '' }));
    expect(await handOff({ ...said, sessionKey }, undefined, bob)).toMatchObject({
      rejection: {
        code: 'FORBIDDEN',
        message: expect.stringMatching(/^only the owner, alice, may hand it over\. What alice should know/),
        details: { owner: 'alice' },
      },
    });
    await ok(world.handoffs.closeSession(alice, { sessionKey, outcome: 'done' }));
    expect(await handOff({ ...said, sessionKey })).toMatchObject({
      rejection: { code: 'SESSION_EXPIRED', details: { currentStatus: 'completed', sessionKey } },
    });
    // Without its key it is not the current one any more.
    expect((await ok(handOff(said))).sessionKey).not.toBe(sessionKey);
  });

  it.each([
    ['a reserved name', { to: 'operator' }, 'to'],
    [
      'bad base64',
      { attachments: [{ name: 'a', content: '%', encoding: 'base64' }] },
      'attachments.0.content',
    ],
    [
      'a large attachment',
      { attachments: [{ name: 'a', content: 'x'.repeat(1_000_001) }] },
      'attachments.0.content',
    ],
    [
      'large attachments',
      { attachments: Array.from({ length: 5 }, (_, i) => ({ name: `${i}`, content: 'x'.repeat(900_000) })) },
      'attachments',
    ],
    [
      'much text',
      { brief: 'x'.repeat(65_536), tried: Array.from({ length: 50 }, () => 'y'.repeat(4_000)) },
      /brief$/,
    ],
    ['an unknown policy', { to: 'bob', policy: 'no' }, 'policy'],
  ] as const)('has %s', async (_, more, field) => {
    expect(await handOff({ ...said, ...more } as HandOffArgs)).toMatchObject({
      rejection: {
        code: 'VALIDATION_ERROR',
        details: { issues: [{ field: typeof field === 'string' ? field : expect.stringMatching(field) }] },
      },
    });
    expect(await count(StreamKind.Worklog)).toBe(0);
  });
});

it('another window writes between: the package is put together again, without a gap', async () => {
  await ok(world.handoffs.registerSession(alice, { sessionKey: 'k', agentFrom: 'alice' }, shop));
  const two = { ...shop, instance: 'bbbbbbbb' };
  const write = (content: string) =>
    ok(world.handoffs.updateContext(alice, { sessionKey: 'k', contextType: 'message', content }, two));
  const [handed] = await Promise.all([ok(handOff({ to: 'bob', ...said })), write('one'), write('two')]);
  const manifest = (await packageOf(handed.handoffId ?? ''))?.manifest;
  const entries = await entriesOf('k');
  const added = entries.find(({ facts }) => facts.n === manifest?.added?.sequence);
  expect(added?.payload && `sha256:${world.deps.codec.sha256(added.payload)}`).toBe(manifest?.added?.digest);
  expect(manifest?.entries).toBe(handed.sequenceNumber);
});

it('assistants:P3 the answer names another window that wrote just before', async () => {
  const { sessionKey } = await ok(handOff(said));
  const handed = await ok(handOff({ ...said, sessionKey }, { ...shop, instance: 'bbbbbbbb' }));
  expect(handed.otherWindow).toEqual({ instance: 'aaaaaaaa', at: T0 });
});

it('assistants:K1 a closed session is reopened by its owner, and takes writes again', async () => {
  const { sessionKey } = await ok(handOff(said));
  const write = () =>
    world.handoffs.updateContext(alice, { sessionKey, contextType: 'message', content: 'x' }, shop);
  await ok(world.handoffs.closeSession(alice, { sessionKey, outcome: 'abandoned', summary: 'Dropped.' }));
  expect(await stateOf(sessionKey)).toMatchObject({
    status: 'completed',
    outcome: 'abandoned',
    lastNumber: 2,
  });
  expect(await code(write())).toBe('SESSION_EXPIRED');
  await ok(world.handoffs.reopenSession(alice, sessionKey));
  expect((await ok(write())).entry.sequenceNumber).toBe(3);
  await expectSound(world);
});

it('assistants:K2 what was withdrawn is nobody’s to pick up', async () => {
  const { sessionKey } = await ok(handOff(said));
  await ok(world.handoffs.withdraw(alice, { sessionKey }));
  expect(await code(world.handoffs.pickUp(bob, { sessionKey, anyone: true }))).toBe('SESSION_NOT_FOUND');
});
