/** A session of any built-in mode under the session's own rules, without engine or store: for tests of rules. */
import { createHash } from 'node:crypto';
import { createCodec } from '@handover/wire';
import { sessionDecider } from '../bound-session/session-decider.js';
import type { Decision } from '../decider.js';
import type { Envelope } from '../envelope/envelope.js';
import type { CommitmentPayload } from '../envelope/payloads.js';
import { headOf, seal } from '../log/chain.js';
import { type ChainHead, type Entry, GENESIS, StreamKind } from '../log/entry.js';
import type { JsonObject } from '../log/json.js';
import type { PolicyDescriptor } from '../policy/descriptor.js';
import type { Denial } from '../rejection.js';
import type { SessionState } from '../session/state.js';
import { findPayload } from './find-payload.js';
import type { ModeName } from './registry.js';

export const testCodec = createCodec({
  sha256: (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex'),
});
const SALT = new Uint8Array(16);
const NONE = new Uint8Array(0);
const NOW = 1_000_000;
const ID = '9b2e7c1a-5d3f-4e8b-a1c2-d3e4f5a6b7c8';

export interface Setting {
  readonly mode: ModeName;
  readonly initiator?: string;
  readonly participants?: readonly string[];
  readonly rules?: JsonObject;
  readonly schemaVersion?: number;
  /** The revision of the rules under which it began; the newest unless it is given. */
  readonly rev?: number;
}

export class ModeSession {
  readonly #setting: Setting;
  #head: ChainHead = GENESIS;
  #count = 0;
  state: SessionState | undefined;
  readonly entries: Entry[] = [];
  /** How the SessionStart was answered. */
  readonly started: string;
  /** Of the last refusal. */
  denials: readonly Denial[] = [];
  /** The words of the last answer, if it was a refusal. */
  why = '';

  constructor(setting: Setting) {
    this.#setting = setting;
    const { initiator = 'owner', participants = ['owner', 'a', 'b'] } = setting;
    const payload = testCodec.encode('SessionStart', {
      intent: '',
      participants,
      modeVersion: '1.0.0',
      configurationVersion: 'config',
      policyVersion: 'p',
      ttlMs: 60_000,
      roots: [],
      contextId: '',
      extensions: {},
      maxSuspendMs: 0,
    });
    this.started = this.#send(initiator, 'SessionStart', payload);
  }

  get view(): JsonObject {
    return this.state?.run.view() ?? {};
  }

  /** `ok`, or the code of the refusal. Fields that are not given have protobuf's defaults. */
  say(sender: string, type: string, fields: object = {}): string {
    const kind = findPayload(this.#setting.mode, type);
    const defaults = kind ? (testCodec.decode(kind, NONE) as object) : {};
    return this.#send(sender, type, kind ? testCodec.encode(kind, { ...defaults, ...fields }) : NONE);
  }

  sayBytes(sender: string, type: string, payload: Uint8Array): string {
    return this.#send(sender, type, payload);
  }

  commit(
    outcomePositive: boolean,
    { by = 'owner', ...over }: Partial<CommitmentPayload> & { by?: string } = {},
  ) {
    return this.say(by, 'Commitment', {
      commitmentId: 'c',
      action: 'done',
      authorityScope: 'scope',
      reason: 'reason',
      modeVersion: '1.0.0',
      policyVersion: '',
      configurationVersion: 'config',
      outcomePositive,
      ...over,
    });
  }

  /** The codes of a Commitment that the policy denies, or how it was answered. */
  denied(outcomePositive: boolean): readonly string[] | string {
    const answer = this.commit(outcomePositive);
    return answer === 'POLICY_DENIED' ? this.denials.map(({ code }) => code) : answer;
  }

  /** The state that the log alone gives. */
  replayed(): SessionState | undefined {
    return this.entries.reduce<SessionState | undefined>(
      (state, entry) => sessionDecider.evolve(state, entry),
      undefined,
    );
  }

  #send(sender: string, messageType: string, payload: Uint8Array): string {
    this.#count += 1;
    const envelope: Envelope = {
      macpVersion: '1.0',
      mode: this.#setting.mode,
      messageType,
      messageId: `m${this.#count}`,
      sessionId: ID,
      sender,
      timestampUnixMs: 0,
      payload,
    };
    const decision = this.#decide(envelope);
    if (decision.kind === 'duplicate') return 'duplicate';
    this.denials = decision.kind === 'rejected' ? (decision.rejection.denials ?? []) : [];
    this.why = decision.kind === 'rejected' ? decision.rejection.message : '';
    if (decision.kind === 'rejected') return decision.rejection.code;
    for (const draft of decision.drafts) {
      const stream = { tenant: 'default', kind: StreamKind.Session, id: ID };
      const entry = seal(testCodec, stream, this.#head, draft, NOW, SALT);
      this.#head = headOf(entry);
      this.entries.push(entry);
      this.state = sessionDecider.evolve(this.state, entry);
    }
    return 'ok';
  }

  #decide(envelope: Envelope): Decision {
    const { mode, rules = {}, schemaVersion = 1, rev } = this.#setting;
    const policy: PolicyDescriptor = {
      policyId: 'p',
      mode,
      description: '',
      rules,
      schemaVersion,
      registeredAtUnixMs: 0,
    };
    const stamp = { at: NOW, seq: this.#head.seq + 1, agent: envelope.sender };
    const consulted = { policies: { policies: new Map([['p', policy]]), createdAt: 0 } };
    const command = { kind: 'envelope', envelope, ...(rev !== undefined && { rev }) } as const;
    return sessionDecider.decide(this.state, command, stamp, { codec: testCodec, consulted });
  }
}
