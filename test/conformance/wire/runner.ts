/** Runs one fixture against a server over the wire, as FIXTURES.md says. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { isRefused } from '../../kit/refused.js';
import type { TestServer } from '../../kit/test-server.js';
import type {
  ControlStep,
  EnvelopeOverrides,
  Expectation,
  ExpectedAck,
  FaultStep,
  Fixture,
  GetStep,
  JsonObject,
  MessageStep,
  Door as NamedDoor,
  Step,
} from '../fixture-types.js';
import { expectNamed } from '../names-field.js';
import type { Agents } from './agents.js';
import { createBindingDoor } from './binding-door.js';
import type { Door, DoorAck, Message } from './door.js';
import { fillQueue } from './fill-queue.js';
import { createGrpcDoor } from './grpc-door.js';
import { createHttpDoor } from './http-door.js';
import { register } from './register.js';

/** No fixture names the binding: all run over it. */
export type DoorName = NamedDoor | 'binding';

export class WireRunner {
  readonly fixture: Fixture;
  readonly server: TestServer;
  readonly agents: Agents;
  readonly #defaultDoor: DoorName;
  readonly #names = new Map<string, string>();
  #doors: Readonly<Record<DoorName, Door>> | undefined;
  #release: (() => Promise<void>) | undefined;
  zero = 0;

  constructor(fixture: Fixture, server: TestServer, agents: Agents, defaultDoor: DoorName) {
    this.fixture = fixture;
    this.server = server;
    this.agents = agents;
    this.#defaultDoor = defaultDoor;
  }

  get sessionId(): string {
    return this.fixture.start?.session_id ?? this.#id('$session');
  }

  /** Every session id that the fixture has named so far. */
  get sessionIds(): readonly string[] {
    return [...new Set([this.sessionId, ...this.#names.values()])];
  }

  door(name: DoorName = this.#defaultDoor): Door {
    this.#doors ??= {
      grpc: createGrpcDoor(this.server.grpc),
      http: createHttpDoor(this.server.http, this.server.grpc),
      binding: createBindingDoor(this.server.http, this.server.grpc),
    };
    return this.#doors[name];
  }

  hangUp(): void {
    for (const door of Object.values(this.#doors ?? {})) door.close();
    this.#doors = undefined;
  }

  async run(): Promise<void> {
    await this.runUntilLast();
    await this.runLast();
  }

  /** Everything but the last message. */
  async runUntilLast(): Promise<void> {
    const { policy, setup = [], messages } = this.fixture;
    if (policy) await this.#step({ register: { kind: 'policy', policy, expect: 'ok' } }, '');
    for (const [index, step] of setup.entries()) await this.#step(step, `s${index + 1}`);
    await this.#start();
    for (const [index, step] of messages.slice(0, -1).entries()) await this.#step(step, `m${index + 1}`);
  }

  async runLast(): Promise<void> {
    const { messages } = this.fixture;
    const last = messages.at(-1);
    if (last) await this.#step(last, `m${messages.length}`);
  }

  async #start(): Promise<void> {
    const { start = {}, initiator } = this.fixture;
    const over = { message_id: 'start', session_id: this.sessionId, ...start.envelope };
    const message = this.#message(
      'SessionStart',
      initiator,
      this.#startPayload(start.payload ?? {}),
      false,
      over,
    );
    this.zero = this.server.now;
    const ack = await this.#send(
      message,
      start.credential ?? (start.credential === null ? null : initiator),
      start.door,
    );
    this.#compare(ack, { expect: 'accept', ...start }, message, 'SessionStart');
  }

  async #step(step: Step, messageId: string): Promise<void> {
    if ('advance_ms' in step) this.server.advance(step.advance_ms);
    else if ('register' in step) await register(this.server.grpc, this.agents, step.register);
    else if ('fault' in step) await this.#fault(step);
    else if ('get' in step) await this.#get(step.get);
    else if ('control' in step) await this.#control(step);
    else await this.#say(step, messageId);
  }

  async #fault({ fault }: FaultStep): Promise<void> {
    if (fault === 'not_stored') this.server.store.failNextAppend();
    else if (fault === 'queue_full') this.#release = await fillQueue(this.server, this.agents);
    else {
      this.hangUp();
      await this.server.restart();
    }
  }

  async #say(step: MessageStep, messageId: string): Promise<void> {
    const isStart = step.message_type === 'SessionStart';
    const fields = isStart ? this.#startPayload(step.payload) : step.payload;
    const over = { message_id: messageId, ...step.envelope };
    const raw = step.payload_type === 'raw';
    const message = this.#message(step.message_type, step.sender, fields, raw, over);
    const ack = await this.#send(
      message,
      step.credential === undefined ? step.sender : step.credential,
      step.door,
    );
    this.#compare(ack, step, message, JSON.stringify(step));
    if (step.expected_denials) expect(ack.denials).toEqual(step.expected_denials);
    this.#compareAck(ack, step.expected_ack);
  }

  async #send(message: Message, credential: string | null, door?: DoorName): Promise<DoorAck> {
    const ack = await this.door(door).send(message, this.agents.bearer(credential));
    await this.#release?.();
    this.#release = undefined;
    return ack;
  }

  async #control(step: ControlStep): Promise<void> {
    const id = step.session_id === undefined ? this.sessionId : this.#id(step.session_id);
    const bearer = this.agents.bearer(step.credential === undefined ? step.sender : step.credential);
    const answer = await this.door().control(step.control, id, step.reason ?? '', bearer);
    const what = JSON.stringify(step);
    if (isRefused(answer)) return expect(answer.status, what).toBe(step.expected_grpc_status);
    const got = answer.ok ? 'accept' : `reject ${answer.code}`;
    expect(got, what).toBe(step.expect === 'accept' ? 'accept' : `reject ${step.expected_error_code}`);
    expect(answer).toMatchObject({ messageId: '', sessionId: id, duplicate: false });
    this.#compareAck(answer, step.expected_ack);
  }

  async #get({ sender, credential = sender, session_id, ...expected }: GetStep['get']): Promise<void> {
    const id = session_id === undefined ? this.sessionId : this.#id(session_id);
    const answer = await this.door().get(id, this.agents.bearer(credential));
    if (isRefused(answer)) return expect(answer.status).toBe(expected.expected_grpc_status);
    expect(expected.expected_grpc_status).toBeUndefined();
    if (expected.expect_state)
      expect(answer.state).toBe(`SESSION_STATE_${expected.expect_state.toUpperCase()}`);
    expect(answer).toMatchObject(expected.expected_metadata ?? {});
    const activity = answer.participant_activity as { participant_id: string; message_count: number }[];
    for (const [name, count] of Object.entries(expected.expected_message_counts ?? {}))
      expect(activity.find((one) => one.participant_id === name)?.message_count ?? 0, name).toBe(count);
  }

  #compare(
    ack: DoorAck,
    { expect: wanted, expected_error_code: code, expected_error_names: field }: Expectation,
    { head }: Message,
    what: string,
  ): void {
    const got = ack.ok ? (ack.duplicate ? 'duplicate' : 'accept') : `reject ${ack.code}`;
    expect(got, `${what}: ${ack.message}`).toBe(wanted === 'reject' ? `reject ${code}` : wanted);
    expect({ messageId: ack.messageId, sessionId: ack.sessionId }).toEqual({
      messageId: head.messageId,
      sessionId: head.sessionId,
    });
    if (!ack.ok) expect(ack.state).toBe('UNSPECIFIED');
    expectNamed(ack.message, field, what);
  }

  #compareAck(ack: DoorAck, expected: ExpectedAck | undefined): void {
    if (expected?.session_state) expect(ack.state).toBe(expected.session_state.toUpperCase());
    if (expected?.accepted_at_offset_ms !== undefined)
      expect(ack.acceptedAt - this.zero).toBe(expected.accepted_at_offset_ms);
  }

  #id(name: string): string {
    if (!name.startsWith('$session')) return name;
    const known = this.#names.get(name) ?? randomUUID();
    this.#names.set(name, known);
    return known;
  }

  #startPayload(change: JsonObject): JsonObject {
    const { participants, mode_version, configuration_version, policy_version, ttl_ms } = this.fixture;
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

  #message(type: string, sender: string, fields: JsonObject, raw: boolean, over: EnvelopeOverrides): Message {
    const bytes = Buffer.from(over.payload_b64 ?? '', 'base64');
    return {
      head: {
        macpVersion: over.macp_version ?? '1.0',
        mode: over.mode ?? this.fixture.mode,
        messageType: over.message_type ?? type,
        messageId: over.message_id ?? '',
        sessionId: over.session_id === undefined ? this.sessionId : this.#id(over.session_id),
        sender: over.sender ?? sender,
        timestampUnixMs: over.timestamp_unix_ms ?? this.server.now + (over.timestamp_offset_ms ?? 0),
      },
      payload: raw || over.payload_b64 !== undefined ? { bytes } : { fields, type },
    };
  }
}
