/** Asks the decider every message in every state of a model, and compares verdict and state. */
import {
  findPayload,
  type PolicyDescriptor,
  type Rejection,
  type SessionCommand,
  type SessionState,
} from '@handover/core';
import { nodeCodec as codec } from '../../../packages/server/src/platform/node-codec.js';
import { commitmentPayload, envelopeOf, startPayload } from '../../kit/envelopes.js';
import { append, type DeciderSession, decide, newSession } from '../decider-session.js';
import { keyOf, type ModeModel, type Said, type Session } from './mode-model.js';
import { type Visit, walk } from './walk.js';

const NOW = 1_000_000;
const POLICY = 'policy.model';

export interface Compared {
  readonly disagreements: readonly string[];
  readonly states: number;
  readonly compared: number;
  readonly refusals: ReadonlySet<string>;
}

export function compareWithDecider<State>(model: ModeModel<State>): Compared {
  const disagreements: string[] = [];
  const refusals = new Set<string>();
  const states = new Set<string>();
  let compared = 0;
  for (const { session, said, verdict, path, rejection, after } of askedOfDecider(model)) {
    const next = 'session' in verdict ? verdict.session : session;
    const expected = `${'code' in verdict ? answerOf(verdict.code, verdict.denials) : 'ok'} ${keyOf(model, next)}`;
    const codes = rejection?.denials?.map(({ code }) => code);
    const got = `${rejection ? answerOf(rejection.code, codes) : 'ok'} ${deciderKey(model, after.state)}`;
    compared += 1;
    states.add(keyOf(model, session));
    if ('code' in verdict) refusals.add(`${said.type} ${verdict.code}`);
    if (expected !== got)
      disagreements.push(`model ${expected}, decider ${got}: ${JSON.stringify([...path, said])}`);
  }
  return { disagreements, states: states.size, compared, refusals };
}

export interface Asked<State> extends Visit<State> {
  /** Why the decider refuses the message; undefined: it takes it. */
  readonly rejection: Rejection | undefined;
  readonly after: DeciderSession;
}

/** What the decider says of each. A state to which it does not follow the model is left out from there on. */
export function* askedOfDecider<State>(model: ModeModel<State>): Generator<Asked<State>> {
  const start: Session<State> = { status: 'OPEN', state: model.initial };
  const deciders = new Map([[keyOf(model, start), started(model)]]);
  for (const visit of walk(model)) {
    const decider = deciders.get(keyOf(model, visit.session));
    if (!decider) continue;
    const { rejection, after } = ask(model, decider, visit.said);
    yield { ...visit, rejection, after };
    if ('code' in visit.verdict || rejection) continue;
    const key = keyOf(model, visit.verdict.session);
    if (!deciders.has(key)) deciders.set(key, after);
  }
}

const answerOf = (code: string, denials: readonly string[] = []): string => [code, ...denials].join(' ');

function deciderKey<State>(model: ModeModel<State>, state: SessionState | undefined): string {
  if (state?.status !== 'OPEN') return `${state?.status} ${state?.outcomePositive}`;
  return `OPEN ${model.keyOfView(JSON.parse(JSON.stringify(state.run.view())))}`;
}

function started<State>(model: ModeModel<State>): DeciderSession {
  const policy = {
    policyId: POLICY,
    mode: model.mode,
    description: '',
    schemaVersion: model.schemaVersion,
    registeredAtUnixMs: 0,
    rules: model.rules as PolicyDescriptor['rules'],
  };
  const session = newSession('9b2e7c1a-5d3f-4e8b-a1c2-d3e4f5a6b7c8', [policy]);
  const payload = startPayload({ participants: model.participants, policyVersion: POLICY });
  const bytes = codec.encode('SessionStart', payload);
  const decision = decide(
    session,
    command(model, session.id, 'SessionStart', model.owner, bytes),
    model.owner,
    NOW,
  );
  if (decision.kind !== 'accepted')
    throw new Error(`the session does not start: ${JSON.stringify(decision)}`);
  return append(session, decision.drafts, NOW);
}

function ask<State>(model: ModeModel<State>, session: DeciderSession, said: Said) {
  const bytes = payloadOf(model.mode, said);
  const decision = decide(
    session,
    command(model, session.id, said.type, said.sender, bytes),
    said.sender,
    NOW,
  );
  if (decision.kind === 'duplicate') throw new Error('every message of the search is a new one');
  if (decision.kind === 'rejected') return { rejection: decision.rejection, after: session };
  return { rejection: undefined, after: append(session, decision.drafts, NOW) };
}

/** No message, and no JSON either. */
const GARBLED = Uint8Array.of(0xff);

export function payloadOf(mode: string, { type, fields, garbled }: Said): Uint8Array {
  if (garbled) return GARBLED;
  if (type === 'SessionStart') return codec.encode('SessionStart', startPayload());
  if (type === 'Commitment')
    return codec.encode('Commitment', commitmentPayload({ action: 'done', ...fields }));
  const kind = findPayload(mode, type);
  if (!kind) return new Uint8Array();
  return codec.encode(kind, { ...(codec.decode(kind, new Uint8Array()) as object), ...fields });
}

/** The search has no duplicates in it: every message is a new one. */
function command<State>(
  { mode }: ModeModel<State>,
  id: string,
  type: string,
  sender: string,
  payload: Uint8Array,
): SessionCommand {
  return { kind: 'envelope', envelope: envelopeOf(id, sender, type, payload, { messageId: 'm', mode }) };
}
