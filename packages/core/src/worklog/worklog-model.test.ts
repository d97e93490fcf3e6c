/**
 * Who holds a working session, whatever is asked of it by whomever: the decider against a small model that was written
 * from the table of states (assistants:2.0) and knows neither entries nor numbers.
 */

import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codec } from '../../../../test/kit/codec.js';
import { WorklogRun } from '../../../../test/kit/worklog-run.js';
import { liveInstruction, verifyStream } from '../index.js';

const MINUTE = 60_000;
const GRACE_MINUTES = 10;
const AGENTS = ['alice', 'bob', 'carol'];
const anAgent = fc.constantFrom(...AGENTS);
const aType = fc.constantFrom('full_handoff', 'collaboration');
const act = <A extends string, R extends object>(name: A, fields: { [K in keyof R]: fc.Arbitrary<R[K]> }) =>
  fc.record({ act: fc.constant(name), ...fields }) as fc.Arbitrary<{ act: A } & R>;

const anAct = fc.oneof(
  act('write', { by: anAgent, capture: fc.boolean() }),
  act('offer', { by: anAgent, to: anAgent, type: aType }),
  act('end', { outcome: fc.constantFrom('committed', 'declined', 'cancelled', 'expired') }),
  act('leave', {
    by: anAgent,
    to: fc.constantFrom('*', ...AGENTS),
    type: aType,
    minutes: fc.integer({ min: 0, max: 60 }),
    hook: fc.boolean(),
  }),
  act('withdraw', { by: anAgent }),
  act('pickUp', { by: anAgent, type: aType }),
  act('take', { by: anAgent }),
  act('close', { by: anAgent }),
  act('reopen', { by: anAgent }),
  act('wait', { minutes: fc.integer({ min: 1, max: 40 }) }),
);
type Act = typeof anAct extends fc.Arbitrary<infer T> ? T : never;
type Said = Exclude<Act, { act: 'wait' }>;

interface Offer {
  readonly to: string;
  readonly type: string;
  /** A pick-up, which moves what was left for anyone, too. */
  readonly picks: boolean;
}

class Model {
  owner = 'alice';
  readonly helpers = new Set<string>();
  readonly offers: Offer[] = [];
  left: { to: string; type: string; until: number; byHook: boolean } | undefined;
  closed = false;
  now = 0;
  ownerSeen = 0;

  get fullOffer(): boolean {
    return this.offers.some(({ type }) => type === 'full_handoff');
  }

  get live() {
    return this.left && this.now <= this.left.until ? this.left : undefined;
  }

  #ownerActs(): void {
    this.ownerSeen = this.now;
    if (this.left?.to === '*') this.left = undefined;
  }

  /** True: it is accepted, and has happened. */
  does(said: Said): boolean {
    switch (said.act) {
      case 'write':
        if (this.closed || (said.by !== this.owner && !this.helpers.has(said.by))) return false;
        if (said.by === this.owner && !said.capture) this.#ownerActs();
        return true;
      case 'offer':
        if (this.closed || said.by !== this.owner || said.to === this.owner) return false;
        if (said.type === 'full_handoff' && this.fullOffer) return false;
        this.#ownerActs();
        this.offers.push({ to: said.to, type: said.type, picks: false });
        return true;
      case 'end':
        return this.#end(said.outcome);
      case 'leave':
        if (this.closed || said.by !== this.owner || said.to === this.owner || said.minutes === 0)
          return false;
        if (said.hook && (this.fullOffer || (this.live && !this.live.byHook))) return true;
        if (!said.hook) this.#ownerActs();
        this.left = {
          to: said.to,
          type: said.type,
          until: this.now + said.minutes * MINUTE,
          byHook: said.hook,
        };
        return true;
      case 'withdraw':
        if (this.closed || said.by !== this.owner) return false;
        if (this.live) {
          this.#ownerActs();
          this.left = undefined;
        }
        return true;
      case 'pickUp': {
        const left = this.live;
        if (this.closed || !left || (left.to !== '*' && left.to !== said.by)) return false;
        if (said.by === this.owner || left.type !== said.type) return false;
        if (said.type === 'full_handoff' && this.fullOffer) return false;
        if (this.offers.some(({ to, type }) => to === said.by && type === said.type)) return false;
        this.offers.push({ to: said.by, type: said.type, picks: true });
        return true;
      }
      case 'take':
        if (this.closed || said.by === this.owner || this.fullOffer) return false;
        if (this.now - this.ownerSeen < GRACE_MINUTES * MINUTE) return false;
        this.offers.push({ to: said.by, type: 'full_handoff', picks: false });
        return true;
      case 'close':
        if (said.by !== this.owner || (!this.closed && this.fullOffer)) return false;
        if (!this.closed) this.#ownerActs();
        this.closed = true;
        this.left = undefined;
        return true;
      case 'reopen':
        if (said.by !== this.owner) return false;
        if (this.closed) this.#ownerActs();
        this.closed = false;
        return true;
    }
  }

  /** Of the oldest handoff; of none, nothing happens. */
  #end(outcome: string): boolean {
    const offer = this.offers.shift();
    if (!offer) return true;
    const { to, type, picks } = offer;
    const beside = this.left?.to === to && this.left.type === type;
    const moves = outcome === 'committed' && type === 'full_handoff';
    if (moves || (outcome !== 'expired' && (beside || (outcome === 'committed' && picks))))
      this.left = undefined;
    if (outcome !== 'committed') return true;
    if (!moves && to !== this.owner) this.helpers.add(to);
    if (!moves) return true;
    this.owner = to;
    this.helpers.delete(to);
    this.ownerSeen = this.now;
    return true;
  }
}

function ask(work: WorklogRun, said: Said, name: string): string {
  switch (said.act) {
    case 'write':
      return work.add(said.by, { capture: said.capture });
    case 'offer':
      return work.request(said.by, said.to, said.type, name);
    case 'end':
      return work.end(work.worklog.pending[0]?.sessionId ?? 'none', said.outcome);
    case 'leave': {
      const by = said.hook ? 'hook' : 'owner';
      return work.park(said.by, [said.to], { requestType: said.type, by, forMs: said.minutes * MINUTE });
    }
    case 'withdraw':
      return work.park(said.by, []);
    case 'pickUp':
      return work.pickUp(said.by, name, { requestType: said.type });
    case 'take':
      return work.take(said.by, name, { policy: { by: 'silent', afterSecs: GRACE_MINUTES * 60 } });
    case 'close':
      return work.close(said.by);
    case 'reopen':
      return work.reopen(said.by);
  }
}

it('is held by whom the model says, after any sequence of acts', () => {
  fc.assert(
    fc.property(fc.array(anAct, { maxLength: 60 }), (acts) => {
      const work = new WorklogRun();
      const model = new Model();
      work.register('alice');
      for (const [index, said] of acts.entries()) {
        if (said.act === 'wait') {
          work.wait(said.minutes * MINUTE);
          model.now += said.minutes * MINUTE;
          continue;
        }
        const answer = ask(work, said, `s${index}`);
        expect([index, said.act, answer === 'accepted']).toEqual([index, said.act, model.does(said)]);
        const { owner, collaborators, status, pending } = work.worklog;
        expect({
          owner,
          helpers: [...collaborators].sort(),
          closed: status === 'completed',
          left: liveInstruction(work.worklog, work.clock.now)?.takers[0],
          offers: pending.map(({ target }) => target),
        }).toEqual({
          owner: model.owner,
          helpers: [...model.helpers].sort(),
          closed: model.closed,
          left: model.live?.to,
          offers: model.offers.map(({ to }) => to),
        });
      }
      expect(verifyStream(work.ref, work.entries, codec)).toMatchObject({ ok: true });
    }),
    { numRuns: 500 },
  );
});
