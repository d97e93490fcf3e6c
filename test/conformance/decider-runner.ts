import {
  type ModeDescriptor as CoreModeDescriptor,
  type Decision,
  type Envelope,
  isMember,
  type NewPolicy,
  offersOf,
  type SessionState,
  sessionMetadata,
} from '@handover/core';
import { expect } from 'vitest';
import { nodeCodec } from '../../packages/server/src/platform/node-codec.js';
import { errorDetails } from '../../packages/server/src/services/macp/error-details.js';
import { errorText } from '../../packages/server/src/services/macp/rpc/registry-answer.js';
import { DeciderWorld } from './decider-world.js';
import { encodePayload } from './encode-payload.js';
import type {
  ControlStep,
  EnvelopeOverrides,
  ExpectedAck,
  Fixture,
  GetStep,
  JsonObject,
  MessageStep,
  RegisterStep,
  Step,
} from './fixture-types.js';
import { expectNamed } from './names-field.js';
import { denialsIn } from './wire/denials.js';

const OPEN_ID = '9b2e7c1a-5d3f-4e8b-a1c2-';

/** Whether a fixture is about rules alone: no credentials, limits, doors, faults or ambient messages. */
export function isForDeciders(fixture: Fixture): boolean {
  const { start, server, setup = [], messages } = fixture;
  const plainStart =
    start?.door !== 'http' && start?.credential === undefined && start?.envelope?.sender === undefined;
  return server === undefined && plainStart && [...setup, ...messages].every(isForDecidersStep);
}

function isForDecidersStep(step: Step): boolean {
  if ('fault' in step) return step.fault === 'restart';
  if ('register' in step) {
    const { credential, policy, mode_descriptor, kind } = step.register;
    const parsed = typeof policy?.rules !== 'string';
    const missing =
      (kind === 'policy' && policy === null) || (kind === 'ext_mode' && mode_descriptor === null);
    return credential === undefined && parsed && !missing;
  }
  if ('get' in step) return step.get.credential === undefined;
  if ('control' in step) return step.credential === undefined;
  if (!('message_type' in step)) return true;
  const ambient = step.message_type === 'Signal' || step.message_type === 'Progress';
  return (
    !ambient && step.credential === undefined && step.door !== 'http' && step.envelope?.sender === undefined
  );
}

export class DeciderRunner {
  readonly world = new DeciderWorld();
  readonly #fixture: Fixture;
  readonly #names = new Map<string, string>();
  #zero = 0;

  constructor(fixture: Fixture) {
    this.#fixture = fixture;
  }

  get sessionId(): string {
    return this.#fixture.start?.session_id ?? this.#id('$session');
  }

  get zero(): number {
    return this.#zero;
  }

  start(): void {
    const { start, initiator } = this.#fixture;
    const envelope = { message_id: 'start', session_id: this.sessionId, ...start?.envelope };
    const payload = encodePayload('SessionStart', this.#startPayload(start?.payload ?? {}));
    const decision = this.world.send(this.#envelope('SessionStart', initiator, payload, envelope), initiator);
    this.#zero = this.world.now;
    this.#compare(decision, start?.expect ?? 'accept', start?.expected_error_code, 'SessionStart');
    expectNamed(textOf(decision), start?.expected_error_names, 'SessionStart');
  }

  run(step: Step, defaultMessageId: string): void {
    if ('advance_ms' in step) this.world.now += step.advance_ms;
    else if ('register' in step) this.#register(step.register);
    else if ('get' in step) this.#get(step.get);
    else if ('control' in step) this.#control(step);
    else if ('message_type' in step) this.#message(step, defaultMessageId);
  }

  #id(name: string): string {
    if (!name.startsWith('$session')) return name;
    const known = this.#names.get(name) ?? `${OPEN_ID}${String(this.#names.size).padStart(12, '0')}`;
    this.#names.set(name, known);
    return known;
  }

  #startPayload(change: JsonObject): JsonObject {
    const { participants, mode_version, configuration_version, policy_version, ttl_ms } = this.#fixture;
    const all = {
      intent: 'conformance',
      participants,
      mode_version,
      configuration_version,
      policy_version,
      ttl_ms,
    };
    return Object.fromEntries(Object.entries({ ...all, ...change }).filter(([, field]) => field !== null));
  }

  #envelope(type: string, sender: string, payload: Uint8Array, over: EnvelopeOverrides): Envelope {
    return {
      macpVersion: over.macp_version ?? '1.0',
      mode: over.mode ?? this.#fixture.mode,
      messageType: over.message_type ?? type,
      messageId: over.message_id ?? '',
      sessionId: over.session_id === undefined ? this.sessionId : this.#id(over.session_id),
      sender,
      timestampUnixMs: over.timestamp_unix_ms ?? this.world.now + (over.timestamp_offset_ms ?? 0),
      payload: over.payload_b64 === undefined ? payload : Buffer.from(over.payload_b64, 'base64'),
    };
  }

  #message(step: MessageStep, defaultMessageId: string): void {
    const fields = step.message_type === 'SessionStart' ? this.#startPayload(step.payload) : step.payload;
    const payload = encodePayload(step.message_type, fields, step.envelope?.mode ?? this.#fixture.mode);
    const over = { message_id: defaultMessageId, ...step.envelope };
    const envelope = this.#envelope(step.message_type, step.sender, payload, over);
    const decision = this.world.send(envelope, step.sender);
    this.#compare(decision, step.expect, step.expected_error_code, JSON.stringify(step));
    expectNamed(textOf(decision), step.expected_error_names, JSON.stringify(step));
    if (step.expected_denials && decision.kind === 'rejected')
      expect(denialsIn(errorDetails(decision.rejection, nodeCodec))).toEqual(step.expected_denials);
    this.#compareAck(decision, envelope.sessionId, step.expected_ack);
  }

  #control(step: ControlStep): void {
    const id = step.session_id === undefined ? this.sessionId : this.#id(step.session_id);
    const decision = this.world.ask(
      id,
      { kind: 'control', control: step.control, reason: step.reason ?? '' },
      step.sender,
    );
    const codes: Record<string, string> = { PERMISSION_DENIED: 'FORBIDDEN', NOT_FOUND: 'SESSION_NOT_FOUND' };
    const status = step.expected_grpc_status;
    const code = status === undefined ? step.expected_error_code : codes[status];
    this.#compare(decision, step.expect, code, JSON.stringify(step));
    this.#compareAck(decision, id, step.expected_ack);
  }

  #compare(decision: Decision, expected: string, code: string | undefined, what: string): void {
    const kinds = { accepted: 'accept', duplicate: 'duplicate', rejected: 'reject' } as const;
    const got = decision.kind === 'rejected' ? decision.rejection : undefined;
    expect(`${kinds[decision.kind]} ${got?.code ?? ''}`, `${what}: ${got?.message ?? ''}`).toBe(
      `${expected} ${code ?? ''}`,
    );
  }

  #compareAck(decision: Decision, sessionId: string, ack: ExpectedAck | undefined): void {
    if (ack === undefined) return;
    if (ack.session_state !== undefined)
      expect(this.world.session(sessionId)?.state?.status).toBe(ack.session_state.toUpperCase());
    const at = decision.kind === 'duplicate' ? decision.acceptedAt : this.world.now;
    if (ack.accepted_at_offset_ms !== undefined) expect(at - this.#zero).toBe(ack.accepted_at_offset_ms);
  }

  #register(step: RegisterStep['register']): void {
    const decision = this.#registration(step);
    const outcome = decision.kind === 'accepted' ? 'ok' : 'refused';
    const text = decision.kind === 'rejected' ? errorText(decision.rejection) : '';
    expect(outcome, `${JSON.stringify(step)}: ${text}`).toBe(step.expect);
    if (step.expected_error_contains !== undefined) expect(text).toContain(step.expected_error_contains);
  }

  #registration(step: RegisterStep['register']): Decision {
    const agent = step.sender ?? 'admin';
    const mode = step.mode ?? '';
    switch (step.kind) {
      case 'policy':
        return this.world.policies({ kind: 'register', policy: policyOf(step) }, agent);
      case 'unregister_policy':
        return this.world.policies({ kind: 'unregister', policyId: step.policy_id ?? '' }, agent);
      case 'ext_mode':
        return this.world.modes({ kind: 'register', descriptor: descriptorOf(step) }, agent);
      case 'unregister_ext_mode':
        return this.world.modes({ kind: 'unregister', mode }, agent);
      case 'promote_mode':
        return this.world.modes(
          { kind: 'promote', mode, promotedName: step.promoted_mode_name ?? '' },
          agent,
        );
    }
  }

  #get({ sender, session_id, ...expected }: GetStep['get']): void {
    const state = this.world.session(session_id === undefined ? this.sessionId : this.#id(session_id))?.state;
    if (expected.expected_grpc_status === 'NOT_FOUND') expect(state).toBeUndefined();
    else if (expected.expected_grpc_status === 'PERMISSION_DENIED')
      expect(state !== undefined && isMember(state, sender)).toBe(false);
    else if (state === undefined) throw new Error('there is no session to read');
    else this.#compareSession(state, sender, expected);
  }

  #compareSession(state: SessionState, sender: string, expected: Omit<GetStep['get'], 'sender'>): void {
    expect(isMember(state, sender)).toBe(true);
    if (expected.expect_state !== undefined) expect(state.status).toBe(expected.expect_state.toUpperCase());
    const metadata = sessionMetadata(state) as unknown as Record<string, unknown>;
    for (const [key, value] of Object.entries(expected.expected_metadata ?? {})) {
      expect(metadata[key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())]).toEqual(value);
    }
    for (const [name, count] of Object.entries(expected.expected_message_counts ?? {})) {
      expect(state.activity.find(({ participant }) => participant === name)?.messages ?? 0).toBe(count);
    }
  }
}

const textOf = (decision: Decision) => (decision.kind === 'rejected' ? decision.rejection.message : '');

function policyOf({ policy: given }: RegisterStep['register']): NewPolicy {
  return {
    policyId: given?.policy_id ?? '',
    mode: given?.mode ?? '',
    description: given?.description ?? '',
    schemaVersion: given?.schema_version ?? 0,
    rules: typeof given?.rules === 'object' ? (given.rules as NewPolicy['rules']) : {},
  };
}

function descriptorOf(step: RegisterStep['register']): CoreModeDescriptor {
  const given = step.mode_descriptor;
  return {
    mode: given?.mode ?? '',
    modeVersion: given?.mode_version ?? '',
    title: given?.title ?? '',
    description: given?.description ?? '',
    determinismClass: given?.determinism_class ?? '',
    participantModel: given?.participant_model ?? '',
    messageTypes: given?.message_types ?? [],
    terminalMessageTypes: given?.terminal_message_types ?? [],
    schemaUris: {},
  };
}

export const dispositionsOf = (state: SessionState) =>
  Object.fromEntries(offersOf(state).offers.map((offer) => [offer.handoffId, offer.disposition]));
