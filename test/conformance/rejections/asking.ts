/** Turns the moves of a table into calls of a real server. */
import { type Envelope, HANDOFF_MODE, type PolicyDescriptor } from '@handover/core';
import { codec } from '../../kit/codec.js';
import { envelopeOf, startPayload } from '../../kit/envelopes.js';
import type { GrpcClient } from '../../kit/grpc-client.js';
import { isRefused } from '../../kit/refused.js';
import { payloadOf } from '../../model/modes/mode-search.js';
import type { HandoffMove } from '../../model/rejections/handoff-walk.js';
import type { Move } from '../../model/rejections/mode-walk.js';
import type { Table } from '../../model/rejections/table.js';
import { OK } from '../../model/rejections/walk.js';
import { toPolicy } from '../../model/to-command.js';
import { toEnvelope } from '../../properties/to-envelope.js';

export type AnyMove = Move | HandoffMove;
export const OWNER = 'owner';
/** Far more than a run takes, so that nothing falls due but where the clock is put forward. */
export const SILENCE_MS = 600_000;

const modeOf = (table: Table) => (table.kind === 'mode' ? table.model.mode : HANDOFF_MODE);

/** Undefined: policy.default. */
export function policyOf(table: Table, policyId: string): PolicyDescriptor | undefined {
  if (table.under === undefined) return undefined;
  if (table.kind === 'handoff') return { ...toPolicy(table.rules, SILENCE_MS), policyId };
  const { mode, rules, schemaVersion } = table.model;
  return {
    policyId,
    mode,
    description: '',
    schemaVersion,
    registeredAtUnixMs: 0,
    rules: rules as PolicyDescriptor['rules'],
  };
}

export function startOf(
  table: Table,
  sessionId: string,
  policyVersion: string,
  ttlMs: number,
  sender = OWNER,
): Envelope {
  const participants = table.kind === 'mode' ? table.model.participants : ['owner', 'a', 'b'];
  const payload = codec.encode('SessionStart', startPayload({ participants, policyVersion, ttlMs }));
  return envelopeOf(sessionId, sender, 'SessionStart', payload, { mode: modeOf(table) });
}

/** Undefined: the move is a call. */
function envelopeFor(table: Table, sessionId: string, move: AnyMove): Envelope | undefined {
  if (move.type === 'start' || move.type === 'SessionStart')
    return startOf(table, sessionId, '', MINUTE, 'sender' in move ? move.sender : OWNER);
  if ('of' in move) return envelopeOf(sessionId, move.sender, move.of, GARBLED);
  if (table.kind === 'handoff')
    return isCall(move) ? undefined : toEnvelope(sessionId, move as Parameters<typeof toEnvelope>[1]);
  if (!('fields' in move)) return undefined;
  const { mode } = table.model;
  return envelopeOf(sessionId, move.sender, move.type, payloadOf(mode, move), { mode });
}

const MINUTE = 60_000;
const GARBLED = Uint8Array.of(0xff);
const CALLS = { suspend: 'suspendSession', resume: 'resumeSession', cancel: 'cancelSession' } as const;
type Call = { readonly type: keyof typeof CALLS; readonly sender: string };
const isCall = (move: AnyMove): move is Call => move.type in CALLS;

/** What a table would say of the answer. */
export async function ask(
  client: GrpcClient,
  table: Table,
  sessionId: string,
  move: AnyMove,
): Promise<string> {
  const envelope = envelopeFor(table, sessionId, move);
  if (envelope) {
    const { ok, error } = await client.send(envelope);
    return ok ? OK : (error?.code ?? 'no code');
  }
  if (!isCall(move)) throw new Error(`${move.type} can be neither said nor called`);
  const answer = await client.ask(CALLS[move.type], { sessionId, reason: '' }, move.sender);
  if (isRefused(answer)) return answer.code ?? answer.status;
  return answer.ack?.ok ? OK : (answer.ack?.error?.code ?? 'no code');
}
