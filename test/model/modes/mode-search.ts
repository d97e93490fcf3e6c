/**
 * Walks every state of a model that messages can reach, asks the decider the same in each, and compares verdict and state.
 * The first path found to a state is a shortest one. An ended session is one state: nothing in it matters any more.
 */
import { findPayload, type PolicyDescriptor, type SessionCommand, type SessionState } from '@handover/core';
import { nodeCodec as codec } from '../../../packages/server/src/platform/node-codec.js';
import { commitmentPayload, envelopeOf, startPayload } from '../../kit/envelopes.js';
import { append, type DeciderSession, decide, newSession } from '../decider-session.js';
import { commitments, judge, type ModeModel, type Said, type Session } from './mode-model.js';

const NOW = 1_000_000;
const POLICY = 'policy.model';
const OUTSIDER = 'x';

export interface Compared {
  readonly disagreements: readonly string[];
  readonly states: number;
  readonly compared: number;
  readonly refusals: ReadonlySet<string>;
}

export function compareWithDecider<State>(model: ModeModel<State>): Compared {
  const keyOf = (session: Session<State>) =>
    session.status === 'OPEN' ? `OPEN ${model.key(session.state)}` : `RESOLVED ${session.positive}`;
  const start: Session<State> = { status: 'OPEN', state: model.initial };
  const queue = [{ session: start as Session<State>, decider: started(model), path: [] as readonly Said[] }];
  const seen = new Set([keyOf(start)]);
  const messages = [
    ...model.messages,
    ...commitments([...new Set([model.owner, ...model.participants, OUTSIDER])]),
  ];
  const disagreements: string[] = [];
  const refusals = new Set<string>();
  let compared = 0;
  // The queue grows while it is walked.
  for (const { session, decider, path } of queue)
    for (const said of messages) {
      const verdict = judge(model, session, said);
      const answer = ask(model, decider, said);
      const next = 'session' in verdict ? verdict.session : session;
      const expected = `${'code' in verdict ? verdict.code : 'ok'} ${keyOf(next)}`;
      const got = `${answer.code} ${deciderKey(model, answer.after.state)}`;
      compared += 1;
      if ('code' in verdict) refusals.add(`${said.type} ${verdict.code}`);
      if (expected !== got)
        disagreements.push(`model ${expected}, decider ${got}: ${JSON.stringify([...path, said])}`);
      else if (!seen.has(keyOf(next))) {
        seen.add(keyOf(next));
        queue.push({ session: next, decider: answer.after, path: [...path, said] });
      }
    }
  return { disagreements, states: seen.size, compared, refusals };
}

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
  if (decision.kind === 'rejected') return { code: decision.rejection.code as string, after: session };
  if (decision.kind === 'duplicate') return { code: 'duplicate', after: session };
  return { code: 'ok', after: append(session, decision.drafts, NOW) };
}

export function payloadOf(mode: string, { type, fields }: Said): Uint8Array {
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
