/** A small world of sessions that between them write every kind of entry, through the real engine. */
import { createHash } from 'node:crypto';
import {
  type Control,
  type Entry,
  HANDOFF_MODE,
  handoffPayloads,
  type ModeDescriptor,
  type ModesCommand,
  type PayloadsIn,
  type PoliciesCommand,
  payloadKind,
  type SessionStartPayload,
  type Step,
  StreamKind,
  type StreamRef,
} from '@handover/core';
import type { Engine, Store } from '@handover/engine';
import { T0 } from '../../../../test/kit/clock.js';
import { envelopeOf } from '../../../../test/kit/envelopes.js';
import { createWorld } from '../../../../test/kit/world.js';
import { nodeCodec } from '../platform/node-codec.js';

type Payloads = PayloadsIn<typeof HANDOFF_MODE>;

export const sessionOf = (id: string, tenant = 'default'): StreamRef<'session'> => ({
  tenant,
  kind: StreamKind.Session,
  id,
});
export const idOf = (name: string): string => `session-of-${name}`.padEnd(24, '-');

/** The ids of the sessions that `tellStories` makes. */
export const STORIES = [
  'accepted',
  'reoffered',
  'implicit-accept',
  'implicit-decline',
  'expired',
  'cancelled',
  'cancelled-early',
  'open',
  'suspended',
  'extension',
  'designated',
  'bound',
] as const;

const POLICIES = {
  accepts: { acceptance: { implicit_accept_timeout_ms: 5_000 } },
  declines: { 'x-handover.rules': { implicit_decline_timeout_ms: 5_000 } },
  roles: { commitment: { authority: 'designated_role', designated_roles: ['judge'] } },
};

export class World {
  readonly engine: Engine;
  readonly store: Store;
  now = T0;
  #messages = 0;

  constructor(store: Store) {
    this.store = store;
    this.engine = createWorld({ store, clock: this, random }).engine;
  }

  async say<T extends keyof Payloads>(
    stream: StreamRef<'session'>,
    sender: string,
    type: T,
    payload: Partial<Payloads[T]>,
    mode = HANDOFF_MODE,
  ): Promise<void> {
    const messageId = `m-${++this.#messages}`;
    const bytes = nodeCodec.encode(payloadKind(HANDOFF_MODE, type), {
      ...DEFAULTS[type],
      ...payload,
    } as Payloads[T]);
    const fields = { mode, messageId, timestampUnixMs: this.now - 7 };
    const envelope = envelopeOf(stream.id, sender, type, bytes, fields);
    await this.#submit(sender, { stream, command: { kind: 'envelope', envelope }, messageId });
  }

  /** A message of a mode whose payloads nobody knows. */
  async sayOpaque(
    stream: StreamRef<'session'>,
    sender: string,
    messageType: string,
    mode: string,
  ): Promise<void> {
    const messageId = `m-${++this.#messages}`;
    const payload = nodeCodec.utf8('opaque');
    const fields = { mode, messageId, timestampUnixMs: this.now };
    const envelope = envelopeOf(stream.id, sender, messageType, payload, fields);
    await this.#submit(sender, { stream, command: { kind: 'envelope', envelope }, messageId });
  }

  control(stream: StreamRef<'session'>, agent: string, control: Control): Promise<void> {
    return this.#submit(agent, { stream, command: { kind: 'control', control, reason: 'because' } });
  }

  policies(command: PoliciesCommand): Promise<void> {
    return this.#submit('admin', { stream: registryOf('default', 'policies'), command });
  }

  modes(command: ModesCommand): Promise<void> {
    return this.#submit('admin', { stream: registryOf('default', 'modes'), command });
  }

  /** Lets time pass and whatever is due happen. */
  async wait(stream: StreamRef, ms: number): Promise<void> {
    this.now += ms;
    await this.engine.query(stream);
  }

  async entries(stream: StreamRef): Promise<readonly Entry[]> {
    return this.store.read(stream, 0, { entries: 100_000, bytes: 1e9 });
  }

  /** A working session, handed over by a session that is bound to it. */
  async handWorkOver(
    worklog: StreamRef<'worklog'>,
    session: StreamRef<'session'>,
    target: string,
  ): Promise<void> {
    this.now += 11;
    const bytes = nodeCodec.encode('SessionStart', {
      ...DEFAULTS.SessionStart,
      participants: ['owner', target],
      ttlMs: 86_000_000,
    } as SessionStartPayload);
    const offer = { handoffId: 'h1', targetParticipant: target, scope: 'all of it', reason: '' };
    const envelope = (messageType: string, payload: Uint8Array) => {
      const fields = { messageId: `m-${++this.#messages}`, timestampUnixMs: this.now };
      return envelopeOf(session.id, 'owner', messageType, payload, fields);
    };
    const request = { sessionId: session.id, handoffId: 'h1', target, requestType: 'full_handoff', upTo: 2 };
    const binding = { worklog: worklog.id, requestType: 'full_handoff', upTo: 2, autoCommit: false };
    const answer = await this.engine.submit({
      agent: 'owner',
      steps: [
        { stream: worklog, command: { kind: 'requestHandoff', ...request, payload: JSON_BYTES } },
        {
          stream: session,
          command: { kind: 'envelope', envelope: envelope('SessionStart', bytes), binding },
        },
        {
          stream: session,
          command: {
            kind: 'envelope',
            envelope: envelope('HandoffOffer', nodeCodec.encode(handoffPayloads.HandoffOffer, offer)),
          },
        },
      ],
      bytes: 1,
    });
    if (!answer.ok) throw new Error(`${answer.rejection.code} ${answer.rejection.message}`);
  }

  worklog(
    stream: StreamRef<'worklog'>,
    agent: string,
    command: WorklogWords,
    messageId?: string,
  ): Promise<void> {
    const whole = { ...command, payload: JSON_BYTES, lifetimes: LIFETIMES };
    return this.#submit(agent, { stream, command: whole, ...(messageId !== undefined && { messageId }) });
  }

  async #submit(agent: string, step: Step): Promise<void> {
    this.now += 11;
    const { stream } = step;
    const answer = await this.engine.submit({
      agent,
      steps: [step],
      ...(stream.kind === 'session' && {
        consult: [registryOf(stream.tenant, 'policies'), registryOf(stream.tenant, 'modes')],
      }),
      bytes: 1,
    });
    if (!answer.ok) throw new Error(`${stream.id}: ${answer.rejection.code} ${answer.rejection.message}`);
  }
}

const registryOf = <K extends 'policies' | 'modes'>(tenant: string, kind: K) => ({ tenant, kind, id: kind });
/** What the stories say of a working session's entry; the rest is the same for all. */
type WorklogWords =
  | { readonly kind: 'register'; readonly id: string }
  | { readonly kind: 'addContext'; readonly entryId: string; readonly contextType: string };
const JSON_BYTES = nodeCodec.utf8('{"note":"x"}');
const LIFETIMES = {
  dormantAfterMs: 1_000_000,
  expireAfterMs: 2_000_000,
  archiveAfterMs: 3_000_000,
  purgeAfterMs: 4_000_000,
};
export const WORKLOGS = ['handed-on', 'forgotten'] as const;
export const worklogOf = (id: string): StreamRef<'worklog'> => ({
  tenant: 'default',
  kind: StreamKind.Worklog,
  id,
});

let drawn = 0;
/** Salts of a test may be guessed, and are the same in every run. */
function random(bytes: number): Uint8Array {
  return createHash('sha256').update(`salt ${drawn++}`).digest().subarray(0, bytes);
}

const versions = { modeVersion: '1.0.0', configurationVersion: 'config.default', policyVersion: '' };
const DEFAULTS: { readonly [T in keyof Payloads]?: Partial<Payloads[T]> } = {
  SessionStart: {
    ...versions,
    intent: 'hand the release over',
    participants: ['owner', 'bob', 'carol'],
    ttlMs: 60_000,
    roots: [{ uri: 'file:///r', name: 'r' }],
    contextId: 'ctx-1',
    extensions: { note: new Uint8Array([1, 2]) },
    maxSuspendMs: 0,
  },
  HandoffOffer: { handoffId: 'h1', targetParticipant: 'bob', scope: 'the release', reason: 'end of shift' },
  HandoffContext: { handoffId: 'h1', contentType: 'text/plain', context: new Uint8Array([65, 66, 67]) },
  HandoffAccept: { handoffId: 'h1', acceptedBy: '', reason: 'fine', implicit: false },
  HandoffDecline: { handoffId: 'h1', declinedBy: '', reason: 'busy' },
  Commitment: {
    ...versions,
    commitmentId: 'c1',
    action: 'handoff.accepted',
    authorityScope: 'release',
    reason: 'bob accepted',
    outcomePositive: true,
  },
};
const NO = { action: 'handoff.declined', outcomePositive: false } as const;

export const VOTING: ModeDescriptor = {
  mode: 'ext.voting.v1',
  modeVersion: '2.0.0',
  title: 'Voting',
  description: 'Votes.',
  determinismClass: 'semantic-deterministic',
  participantModel: 'open',
  messageTypes: ['SessionStart', 'Vote', 'Commitment'],
  terminalMessageTypes: ['Commitment'],
  schemaUris: { proto: 'voting.proto' },
};

export async function tellStories(world: World): Promise<void> {
  for (const [id, rules] of Object.entries(POLICIES)) {
    const policy = { policyId: `policy.${id}`, mode: HANDOFF_MODE, description: id, rules, schemaVersion: 1 };
    await world.policies({ kind: 'register', policy });
  }
  await world.modes({ kind: 'register', descriptor: VOTING });
  await accepted(world);
  await reoffered(world);
  await implicit(world, 'implicit-accept', 'policy.accepts', {});
  await implicit(world, 'implicit-decline', 'policy.declines', NO);
  await endings(world);
  await running(world);
  await others(world);
  await working(world);
  await world.policies({ kind: 'unregister', policyId: 'policy.accepts' });
  await world.modes({ kind: 'promote', mode: VOTING.mode, promotedName: 'voting' });
}

async function accepted(world: World): Promise<void> {
  const s = sessionOf(idOf('accepted'));
  await world.say(s, 'owner', 'SessionStart', {});
  await world.say(s, 'owner', 'HandoffOffer', {});
  await world.say(s, 'owner', 'HandoffContext', {});
  await world.say(s, 'owner', 'HandoffContext', { contentType: '' });
  await world.say(s, 'bob', 'HandoffAccept', { acceptedBy: 'bob' });
  await world.say(s, 'owner', 'HandoffContext', { context: new Uint8Array(9) });
  await world.say(s, 'owner', 'Commitment', {});
}

async function reoffered(world: World): Promise<void> {
  const s = sessionOf(idOf('reoffered'));
  await world.say(s, 'owner', 'SessionStart', { participants: ['bob', 'carol'], contextId: '', roots: [] });
  await world.say(s, 'owner', 'HandoffOffer', {});
  await world.say(s, 'bob', 'HandoffDecline', {});
  await world.control(s, 'owner', 'suspend');
  await world.wait(s, 1_000);
  await world.control(s, 'owner', 'resume');
  await world.say(s, 'owner', 'HandoffOffer', { handoffId: 'h2', targetParticipant: 'carol', scope: '' });
  await world.say(s, 'owner', 'HandoffContext', { handoffId: 'h2' });
  await world.say(s, 'carol', 'HandoffAccept', { handoffId: 'h2' });
  const supersedes = { sessionId: idOf('accepted'), commitmentHash: `sha256:${'ab'.repeat(32)}` };
  await world.say(s, 'owner', 'Commitment', { supersedes });
}

async function implicit(world: World, name: string, policyVersion: string, outcome: object): Promise<void> {
  const s = sessionOf(idOf(name));
  await world.say(s, 'owner', 'SessionStart', { policyVersion });
  await world.say(s, 'owner', 'HandoffOffer', {});
  await world.wait(s, 6_000);
  await world.say(s, 'owner', 'Commitment', outcome);
}

async function endings(world: World): Promise<void> {
  const expired = sessionOf(idOf('expired'));
  await world.say(expired, 'owner', 'SessionStart', { extensions: {} });
  await world.say(expired, 'owner', 'HandoffOffer', {});
  await world.wait(expired, 100_000);
  const cancelled = sessionOf(idOf('cancelled'));
  await world.say(cancelled, 'owner', 'SessionStart', {});
  await world.say(cancelled, 'owner', 'HandoffOffer', {});
  await world.say(cancelled, 'bob', 'HandoffAccept', {});
  await world.control(cancelled, 'owner', 'cancel');
  const early = sessionOf(idOf('cancelled-early'), 'other');
  await world.say(early, 'owner', 'SessionStart', {});
  await world.control(early, 'owner', 'cancel');
}

async function running(world: World): Promise<void> {
  const open = sessionOf(idOf('open'));
  await world.say(open, 'owner', 'SessionStart', { ttlMs: 86_000_000 });
  await world.say(open, 'owner', 'HandoffOffer', {});
  const suspended = sessionOf(idOf('suspended'));
  await world.say(suspended, 'owner', 'SessionStart', { maxSuspendMs: 50_000_000 });
  await world.control(suspended, 'owner', 'suspend');
}

async function others(world: World): Promise<void> {
  const extension = sessionOf(idOf('extension'));
  const { mode, modeVersion } = VOTING;
  await world.say(extension, 'owner', 'SessionStart', { modeVersion, participants: [] }, mode);
  await world.sayOpaque(extension, 'anyone', 'Vote', mode);
  await world.say(extension, 'owner', 'Commitment', { modeVersion, action: 'vote' }, mode);
  const designated = sessionOf(idOf('designated'));
  await world.say(designated, 'owner', 'SessionStart', { policyVersion: 'policy.roles' });
  await world.say(designated, 'owner', 'HandoffOffer', {});
  await world.say(designated, 'bob', 'HandoffDecline', {});
  await world.say(designated, 'judge', 'Commitment', NO);
}

async function working(world: World): Promise<void> {
  const forgotten = worklogOf('forgotten');
  await world.worklog(forgotten, 'owner', { kind: 'register', id: 'w-1' }, 'key-1');
  await world.wait(forgotten, 2_500_000);
  const handedOn = worklogOf('handed-on');
  await world.worklog(handedOn, 'owner', { kind: 'register', id: 'w-2' }, 'key-1');
  for (const entryId of ['e-1', 'e-2'])
    await world.worklog(handedOn, 'owner', { kind: 'addContext', entryId, contextType: 'message' });
  const bound = sessionOf(idOf('bound'));
  await world.handWorkOver(handedOn, bound, 'bob');
  await world.say(bound, 'bob', 'HandoffAccept', {});
  await world.say(bound, 'owner', 'Commitment', {});
  await world.worklog(
    handedOn,
    'bob',
    { kind: 'addContext', entryId: 'e-3', contextType: 'message' },
    'key-2',
  );
}
