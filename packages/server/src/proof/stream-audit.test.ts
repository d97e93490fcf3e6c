import {
  canonicalJson,
  type Entry,
  GENESIS,
  handoffPayloads,
  headOf,
  type SoundStream,
  StreamKind,
  seal,
  sessionDecider,
  stateHash,
  verifyStream,
} from '@handover/core';
import { createMemoryStore } from '@handover/engine';
import { beforeAll, describe, expect, it } from 'vitest';
import { DeciderRunner, isForDeciders } from '../../../../test/conformance/decider-runner.js';
import { loadFixtures } from '../../../../test/conformance/load-fixtures.js';
import { nodeCodec as codec } from '../platform/node-codec.js';
import { idOf, STORIES, sessionOf, tellStories, WORKLOGS, World, worklogOf } from './stories.test.helper.js';

const world = new World(createMemoryStore());
beforeAll(() => tellStories(world));

const story = (name: string) => sessionOf(idOf(name), name === 'cancelled-early' ? 'other' : 'default');

describe('a sound stream', () => {
  it.each(STORIES)('%s replays to the same state', async (name) => {
    const entries = await world.entries(story(name));
    const verdict = verifyStream(story(name), entries, codec);
    expect(verdict).toMatchObject({ ok: true, head: { seq: entries.length } });
    const folded = entries.reduce<ReturnType<typeof sessionDecider.evolve> | undefined>(
      (state, entry) => sessionDecider.evolve(state, entry),
      undefined,
    );
    expect(folded && stateHash(folded, codec)).toBe((verdict as SoundStream).stateHash);
  });

  it.each([StreamKind.Policies, StreamKind.Modes])('the registry of %s replays', async (kind) => {
    const ref = { tenant: 'default', kind, id: kind };
    expect(verifyStream(ref, await world.entries(ref), codec)).toMatchObject({ ok: true });
  });

  it.each(WORKLOGS)('the working session %s replays', async (name) => {
    const entries = await world.entries(worklogOf(name));
    expect(verifyStream(worklogOf(name), entries, codec)).toMatchObject({ ok: true });
    expect(entries.length).toBeGreaterThan(2);
  });

  it('a directory of policies that changed a rule replays', async () => {
    const own = new World(createMemoryStore());
    const policy = { policyId: 'p', mode: '*', description: '', rules: {}, schemaVersion: 1 };
    await own.policies({ kind: 'replaceAll', policies: [policy] });
    const rules = { 'x-handover.rules': { allow_no_target: true } };
    await own.policies({ kind: 'replaceAll', policies: [{ ...policy, rules }] });
    const ref = { tenant: 'default', kind: StreamKind.Policies, id: 'policies' };
    const entries = await own.entries(ref);
    expect(entries).toHaveLength(2);
    expect(verifyStream(ref, entries, codec)).toMatchObject({ ok: true });
  });

  it('every conformance fixture of the rules replays', async () => {
    const fixtures = loadFixtures().filter(({ fixture }) => isForDeciders(fixture));
    let streams = 0;
    for (const { name, fixture } of fixtures) {
      const runner = new DeciderRunner(fixture);
      const { policy, setup = [], messages } = fixture;
      if (policy !== undefined) runner.run({ register: { kind: 'policy', policy, expect: 'ok' } }, '');
      for (const [i, step] of setup.entries()) runner.run(step, `s${i + 1}`);
      runner.start();
      for (const [i, step] of messages.entries()) runner.run(step, `m${i + 1}`);
      const stream = runner.world.session(runner.sessionId);
      if (!stream || stream.entries.length === 0) continue;
      streams++;
      const verdict = verifyStream(sessionOf(runner.sessionId), stream.entries, codec);
      expect(verdict, name).toMatchObject({ ok: true });
    }
    expect(streams).toBeGreaterThan(150);
  });
});

describe('a forged stream, its hashes computed anew', () => {
  type Change = (entry: Entry) => Partial<Entry>;
  const streamOf = (name: string) =>
    WORKLOGS.some((known) => known === name) ? worklogOf(name) : story(name);

  /** A forgery by somebody who knows how hashes are made: a valid chain over an impossible history. */
  async function forged(name: string, seq: number, change: Change): Promise<string> {
    const entries = await world.entries(streamOf(name));
    let after = GENESIS;
    const chain = entries.map((entry) => {
      const { type, v, actor, messageId, facts, payload, at } = {
        ...entry,
        ...(entry.seq === seq ? change(entry) : {}),
      };
      const sealed = seal(
        codec,
        entry.stream,
        after,
        { type, v, actor, messageId, facts, payload, at },
        at,
        entry.salt,
      );
      after = headOf(sealed);
      return sealed;
    });
    const verdict = verifyStream(streamOf(name), chain, codec);
    return verdict.ok ? 'ok' : `${verdict.flaw.seq}: ${verdict.flaw.what}`;
  }

  const facts =
    (change: object): Change =>
    (entry) => ({ facts: { ...entry.facts, ...change } });
  const offer = { handoffId: 'h1', targetParticipant: 'carol', scope: '', reason: '' };

  it.each<[string, string, number, Change, RegExp]>([
    ['nothing', 'accepted', 0, () => ({}), /^ok$/],
    ['the deadline', 'accepted', 1, facts({ deadline: 5 }), /^1: facts.deadline is 5; the rules give \d+$/],
    [
      'a participant',
      'accepted',
      1,
      facts({ participants: ['owner', 'eve'] }),
      /^1: facts.participants\[1\]/,
    ],
    ['the frozen policy', 'accepted', 1, facts({ policy: {} }), /^1: facts.policy/],
    [
      'the rules revision',
      'accepted',
      1,
      facts({ rev: 99 }),
      /^1: it cannot be read: .* was begun under rules 99/,
    ],
    ['the target in facts', 'accepted', 2, facts({ target: 'carol' }), /^2: facts.target is "carol"/],
    [
      'the target in both',
      'accepted',
      2,
      (entry) => ({
        facts: { ...entry.facts, target: 'carol' },
        payload: codec.encode(handoffPayloads.HandoffOffer, offer),
      }),
      /^5: the rules refuse it: FORBIDDEN/,
    ],
    ['who accepted', 'accepted', 5, () => ({ actor: 'carol' }), /^5: the rules refuse it: FORBIDDEN/],
    ['who offered', 'accepted', 2, () => ({ actor: 'bob' }), /^2: the rules refuse it: FORBIDDEN/],
    ['the outcome', 'accepted', 7, facts({ outcome_positive: false }), /^7: facts.outcome_positive/],
    ['an unknown fact', 'accepted', 3, facts({ extra: 1 }), /^3: facts.extra is 1; the rules give missing/],
    ['a type', 'accepted', 5, () => ({ type: 'HandoffDecline' }), /^7: the rules refuse it/],
    ['a type nobody knows', 'accepted', 5, () => ({ type: 'X' }), /^5: the rules refuse it/],
    ['a version', 'accepted', 5, () => ({ v: 2 }), /^5: v is 2; the rules give 1/],
    ['a message id twice', 'accepted', 4, () => ({ messageId: 'm-3' }), /^4: message_id stands twice/],
    ['a reserved id', 'accepted', 4, () => ({ messageId: 'runtime:x' }), /^4: the rules refuse it/],
    ['the banked time', 'reoffered', 5, facts({ banked_ms: 1 }), /^5: facts.banked_ms is 1/],
    ['who suspended', 'reoffered', 4, () => ({ actor: 'carol' }), /^4: the rules refuse it: FORBIDDEN/],
    ['an answer by time-out', 'implicit-accept', 3, (e) => ({ at: e.at + 1 }), /^3: at is \d+; it fell due/],
    ['its payload', 'implicit-accept', 3, () => ({ payload: new Uint8Array(0) }), /^3: payload is not/],
    ['an expiry too early', 'expired', 3, (e) => ({ at: e.at - 1 }), /^3: the session had not run out/],
    [
      'the mode',
      'extension',
      1,
      facts({ mode_descriptor: {} }),
      /^1: the rules refuse it: MODE_NOT_SUPPORTED/,
    ],
    ['who committed', 'designated', 4, () => ({ actor: 'owner' }), /^4: the rules refuse it: FORBIDDEN/],
    ['the bound work', 'bound', 1, facts({ binding: { worklog: 'handed-on' } }), /^1: facts.binding/],
    [
      'the owner of work',
      'handed-on',
      5,
      facts({ target: 'eve' }),
      /^5: facts.target is "eve"; the rules give "bob"/,
    ],
    ['who wrote work', 'handed-on', 6, () => ({ actor: 'owner' }), /^6: the rules refuse it: FORBIDDEN/],
    ['a number of work', 'handed-on', 3, facts({ n: 7 }), /^3: facts.n is 7; the rules give 2/],
    ['an ending of work', 'forgotten', 2, (e) => ({ at: e.at + 1 }), /^2: at is \d+; it fell due/],
    [
      'an id of the runtime',
      'handed-on',
      6,
      () => ({ messageId: 'runtime:x' }),
      /^6: messageId is "runtime:x"/,
    ],
  ])('shows %s', async (_, name, seq, change, expected) => {
    expect(await forged(name, seq, change)).toMatch(expected);
  });
});

describe('a changed stream', () => {
  const verdictOf = async (change: (entries: Entry[]) => Entry[]) => {
    const verdict = verifyStream(
      story('accepted'),
      change([...(await world.entries(story('accepted')))]),
      codec,
    );
    return verdict.ok ? 'ok' : `${verdict.flaw.seq}: ${verdict.flaw.what}`;
  };
  const at = (index: number, change: (entry: Entry) => Partial<Entry>) => (entries: Entry[]) =>
    entries.map((entry, i) => (i === index ? { ...entry, ...change(entry) } : entry));

  it('names a missing entry, swapped entries and an entry of another stream', async () => {
    expect(await verdictOf((entries) => entries.toSpliced(2, 1))).toBe('4: sequence 4 follows 2');
    expect(await verdictOf(([a, b, c, ...rest]) => [a, c, b, ...rest] as Entry[])).toMatch(
      /sequence 3 follows 1/,
    );
    expect(await verdictOf(at(3, () => ({ stream: story('open') })))).toMatch(
      /^4: the entry belongs to another/,
    );
  });

  it('names bytes that moved between salt and payload under the same hash', async () => {
    const moved = at(2, ({ salt, payload }) => ({
      salt: salt.subarray(0, 15),
      payload: new Uint8Array([...salt.subarray(15), ...payload]),
    }));
    expect(await verdictOf(moved)).toBe('3: salt has 15 bytes, not 16');
  });

  it('names a payload that was replaced together with its hash', async () => {
    const payload = codec.utf8('something else');
    const replaced = at(2, ({ salt }) => ({ payload, payloadHash: codec.sha256(salt, payload) }));
    expect(await verdictOf(replaced)).toBe('3: hash of entry 3 does not match its contents');
  });

  it('names facts in another spelling', async () => {
    const spaced = at(1, ({ facts }) => ({ factsText: canonicalJson(facts).replace(',', ', ') }));
    expect(await verdictOf(spaced)).toMatch(/^2: hash of entry 2/);
  });

  it('cannot see a cut-off tail, as the documents say', async () => {
    expect(await verdictOf((entries) => entries.slice(0, -1))).toBe('ok');
  });

  it('refuses a stream without entries, and a kind that it does not know', async () => {
    expect(await verdictOf(() => [])).toMatch(/no entries/);
    // As a later version might write it.
    const ref = { tenant: 't', kind: 'treaty' as StreamKind, id: 'o' };
    expect(verifyStream(ref, [], codec)).toMatchObject({
      flaw: { what: 'streams of kind treaty are unknown to this version' },
    });
  });
});
