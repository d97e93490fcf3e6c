/**
 * Those who use the nodes: owners and targets who race, with retries at any node; readers, subscribers and followers who go
 * on elsewhere when their node dies.
 */
import { type Envelope, FaultCode, HandoverError, StreamKind } from '@handover/core';
import type { Submission } from '@handover/engine';
import { policiesRef, sessionRef } from '../../packages/server/src/services/stream-refs.js';
import { accept, commit, context, decline, offer, start } from '../kit/envelopes.js';
import type { Engine } from './engine.js';
import type { Ledger } from './ledger.js';
import type { Schedule } from './schedule.js';
import { Died, type World } from './world.js';

export const TENANT = 'default';
export const IMPLICIT_POLICY = 'policy.implicit';
const TRIES = 3_000;

export class Clients {
  readonly #world: World;
  readonly #ledger: Ledger;
  /** Of each session, the highest sequence that anybody was told of. */
  readonly #told = new Map<string, number>();

  constructor(world: World, ledger: Ledger) {
    this.#world = world;
    this.#ledger = ledger;
  }

  /** One handoff session and all who take part in it. */
  async session(): Promise<void> {
    const { random, schedule } = this.#world;
    const id = random.id();
    const isShort = random.chance(0.3);
    const isLeft = random.chance(0.3);
    // Who asks too early is told that there is none, and that must not last.
    if (random.chance(0.5)) await this.#reader(id, 2);
    const policyVersion = random.chance(0.4) ? IMPLICIT_POLICY : '';
    await this.#say(start(id, 'owner', { policyVersion, ttlMs: isShort ? 400 : 3_600_000 }));
    const watching = [this.#subscriber(id), this.#reader(id, 8)];
    for (let round = 0; round < 3; round++) {
      const target = random.pick(['a', 'b']);
      const handoffId = `h${round}`;
      const offered = offer(id, handoffId, target);
      await Promise.all(random.chance(0.2) ? [this.#say(offered), this.#say(offered)] : [this.#say(offered)]);
      if (random.chance(0.5)) await this.#say(context(id, handoffId));
      if (random.chance(0.3)) await this.#inVain(id, handoffId);
      // Nobody comes back: what is due then is for the timers.
      if (isLeft) return;
      if (random.chance(0.3)) await schedule.wait(random() * 400);
      const answers = [accept(id, handoffId, target), decline(id, handoffId, target)];
      await Promise.all(
        (random.chance(0.5) ? answers : answers.slice(0, 1)).map((answer) => this.#say(answer)),
      );
      if (random.chance(0.6)) break;
    }
    await Promise.all([
      this.#say(commit(id)),
      this.#say(commit(id, 'owner', { commitmentId: 'c2', outcomePositive: false })),
    ]);
    await Promise.all(watching);
  }

  /** The whole feed, from its beginning, at one node after another. */
  async follower(isOver: () => boolean): Promise<void> {
    const { schedule, random } = this.#world;
    const last = new Map<string, number>();
    let after = '' as Parameters<Engine['follow']>[0];
    while (!isOver()) {
      try {
        await this.#world.ask(async (engine) => {
          const follower = engine.follow(after);
          try {
            const next = patient(() => follower.next(), schedule, 500);
            while (!isOver()) {
              const items = await next();
              for (const { at, entry } of items ?? []) {
                const key = entry.stream.id;
                const before = last.get(key) ?? 0;
                if (entry.seq > before + 1)
                  this.#ledger.violated(`I28 the feed goes from ${before} to ${entry.seq}`);
                last.set(key, Math.max(before, entry.seq));
                after = at;
              }
            }
          } finally {
            follower.close();
          }
        });
      } catch {
        await schedule.wait(20 + 50 * random());
      }
    }
    for (const id of this.#told.keys()) {
      const seq = this.#world.database.log.lastSeq(sessionRef(TENANT, id));
      if (last.get(id) !== seq) this.#ledger.violated(`I28 the feed ends at ${last.get(id)} of ${seq}`);
    }
  }

  /** Registers the policy whose offers are answered by silence. */
  async policies(): Promise<void> {
    const policy = {
      policyId: IMPLICIT_POLICY,
      mode: 'macp.mode.handoff.v1',
      description: '',
      schemaVersion: 1,
      rules: { acceptance: { implicit_accept_timeout_ms: 300 } },
    };
    await this.#retried(async (engine) => {
      const answer = await engine.submit({
        agent: 'admin',
        steps: [{ stream: policiesRef(TENANT, false), command: { kind: 'register', policy } }],
        bytes: 500,
      });
      return answer;
    });
  }

  async #say(envelope: Envelope): Promise<void> {
    const signed = { ...envelope, messageId: this.#world.random.id() };
    const world = this.#world;
    const ref = sessionRef(TENANT, signed.sessionId);
    const submission: Submission<readonly ['session']> = {
      agent: signed.sender,
      steps: [{ stream: ref, command: { kind: 'envelope', envelope: signed }, messageId: signed.messageId }],
      ...(signed.messageType === 'SessionStart' && { consult: [policiesRef(TENANT, false)] }),
      bytes: 200,
    };
    // The same message again: at once, or after its answer.
    if (world.random.chance(0.2)) await Promise.all([this.#submit(submission), this.#submit(submission)]);
    else await this.#submit(submission);
    if (world.random.chance(0.4)) await this.#submit(submission);
  }

  /** Two steps of which the second is always refused: nothing may come of the first. */
  async #inVain(id: string, handoffId: string): Promise<void> {
    const steps = [context(id, handoffId), accept(id, handoffId, 'owner')].map((envelope) => {
      const signed = { ...envelope, messageId: this.#world.random.id() };
      const command = { kind: 'envelope', envelope: signed } as const;
      return { stream: sessionRef(TENANT, id), command, messageId: signed.messageId };
    });
    const [first, second] = steps;
    if (!first || !second) return;
    const submission: Submission<readonly ['session', 'session']> = {
      agent: 'owner',
      steps: [first, second],
      bytes: 400,
    };
    const answer = await this.#retried((engine) => engine.submit(submission));
    if (answer?.ok) this.#ledger.violated('a step that is never allowed was accepted');
    this.#ledger.refusedIds.add(first.messageId);
    this.#ledger.refusedIds.add(second.messageId);
  }

  async #submit(submission: Submission<readonly ['session']>): Promise<void> {
    const [{ stream: ref, command, messageId = '' }] = submission.steps;
    const messageType = command.kind === 'envelope' ? command.envelope.messageType : command.kind;
    const ledger = this.#ledger;
    const world = this.#world;
    const from = world.database.log.lastSeq(ref);
    const askedAt = world.database.now();
    const answer = await this.#retried((engine) => engine.submit(submission));
    if (!answer) return;
    const to = world.database.log.lastSeq(ref);
    if (!answer.ok) {
      const { code } = answer.rejection;
      if (ledger.accepted.has(messageId))
        ledger.violated(`I19 ${messageType} was accepted, and later ${code}`);
      ledger.refusedIds.add(messageId);
      ledger.refused.push({ submission, code, from, to, askedAt, answeredAt: world.database.now() });
      return;
    }
    const [{ decision, entries }] = answer.results;
    if (decision.kind === 'duplicate') ledger.duplicates++;
    else if (ledger.isNew.has(messageId)) ledger.violated(`I19 ${messageType} was accepted twice`);
    else ledger.isNew.add(messageId);
    const at = decision.kind === 'duplicate' ? undefined : entries[0]?.at;
    if (at !== undefined && !world.happened.jump && (at < askedAt || at > world.database.now()))
      ledger.violated(`an entry of ${askedAt} to ${world.database.now()} is dated ${at}`);
    ledger.acks++;
    ledger.accepted.set(messageId, ref);
    const seq = decision.kind === 'duplicate' ? decision.seq : (entries[0]?.seq ?? 0);
    this.#told.set(ref.id, Math.max(this.#told.get(ref.id) ?? 0, seq));
  }

  /** Until there is an answer: with the same message, at any node. */
  async #retried<T>(question: (engine: Engine) => Promise<T>): Promise<T | undefined> {
    const { schedule, random } = this.#world;
    for (let tries = 0; tries < TRIES; tries++) {
      try {
        return await this.#world.ask(question);
      } catch (thrown) {
        const fault = thrown instanceof HandoverError ? thrown.code : 'DIED';
        this.#world.count(fault);
        if (fault === FaultCode.INTERNAL || fault === FaultCode.DATA_LOSS)
          this.#ledger.violated(`${fault} ${String(thrown)}`);
        if (!(thrown instanceof Died)) this.#ledger.unknowns++;
        await schedule.wait(5 + 100 * random());
      }
    }
    this.#ledger.violated('I33 a client was never answered');
    return undefined;
  }

  /** What anybody was told before the question, the answer knows. */
  async #reader(id: string, times: number): Promise<void> {
    const { schedule, random } = this.#world;
    for (let n = 0; n < times; n++) {
      await schedule.wait(300 * random());
      let told = 0;
      const found = await this.#retried((engine) => {
        told = this.#told.get(id) ?? 0;
        // Who knows of an entry may be content with any state that has it.
        return random.chance(0.5)
          ? engine.query(sessionRef(TENANT, id))
          : engine.query(sessionRef(TENANT, id), told);
      });
      if ((found?.seq ?? 0) < told) this.#ledger.violated(`I7 read ${found?.seq ?? 'nothing'} after ${told}`);
      this.#told.set(id, Math.max(this.#told.get(id) ?? 0, found?.seq ?? 0));
    }
  }

  async #subscriber(id: string): Promise<void> {
    const { schedule, random, database } = this.#world;
    const ref = { tenant: TENANT, kind: StreamKind.Session, id } as const;
    let cursor = 0;
    const until = schedule.now + 2_000 + 4_000 * random();
    const isDone = (): boolean => schedule.now > until && cursor >= database.log.lastSeq(ref);
    for (let idle = 0; !isDone() && idle < 300; idle++) {
      let quiet = 0;
      try {
        await this.#world.ask(async (engine) => {
          const opened = await engine.subscribe(
            ref,
            () => cursor,
            () => undefined,
          );
          if (!('subscription' in opened)) return;
          const { subscription } = opened;
          try {
            const next = patient(() => subscription.next(), schedule, 1_000);
            while (!isDone() && quiet < 20) {
              const page = await next();
              if (page) quiet = 0;
              else if (this.#world.isCalm) quiet++;
              for (const { seq } of page ?? []) {
                if (seq !== cursor + 1) this.#ledger.violated(`I28 subscriber got ${seq} after ${cursor}`);
                cursor = seq;
              }
            }
          } finally {
            subscription.close();
          }
        });
        // Twenty quiet seconds at one node that nothing befell, with something new in the log.
        if (quiet >= 20 && !isDone())
          this.#ledger.violated(
            `I28 a subscriber at ${cursor} of ${database.log.lastSeq(ref)} hears nothing`,
          );
      } catch {
        await schedule.wait(20 + 80 * random());
      }
    }
  }
}

/** Waits for the next, but not for ever; what was waited for in vain is what the next call waits for. */
function patient<T>(ask: () => Promise<T>, schedule: Schedule, ms: number): () => Promise<T | undefined> {
  let pending: Promise<T> | undefined;
  return async () => {
    pending ??= ask();
    const mine = pending;
    const sleep = schedule.sleep(ms);
    const first = await Promise.race([mine.then((value) => ({ value })), sleep.done.then(() => undefined)]);
    sleep.cancel();
    if (!first) return undefined;
    pending = undefined;
    return first.value;
  };
}
