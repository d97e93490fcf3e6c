/** What a fixture expects of the end, read over the wire; and everything that must be the same after a restart. */
import type { Envelope } from '@handover/core';
import { expect } from 'vitest';
import { isRefused } from '../../kit/refused.js';
import { decodedField } from '../encode-payload.js';
import type { Fixture, HistoryEntry } from '../fixture-types.js';
import type { WireRunner } from './runner.js';

export async function compareEnd(runner: WireRunner): Promise<void> {
  const { fixture, sessionId } = runner;
  const bearer = runner.agents.bearer(fixture.initiator);
  const metadata = await runner.door().get(sessionId, bearer);
  if (fixture.expected_final_state === null) {
    expect(metadata).toMatchObject({ status: 'NOT_FOUND' });
    return;
  }
  expect(metadata).toMatchObject({ state: `SESSION_STATE_${fixture.expected_final_state.toUpperCase()}` });
  if (isRefused(metadata)) return;
  if (fixture.expected_deadline_offset_ms !== undefined)
    expect(Number(metadata.expires_at_unix_ms) - runner.zero).toBe(fixture.expected_deadline_offset_ms);
  const history = await runner.door().history(sessionId, bearer);
  if (isRefused(history)) throw new Error(`the initiator may not read: ${history.message}`);
  if (fixture.expected_history) compareHistory(history, fixture.expected_history, runner.zero);
  compareOutcome(history, fixture);
}

function compareHistory(
  history: readonly Envelope[],
  expected: readonly (string | HistoryEntry)[],
  zero: number,
): void {
  const wanted = expected.map((entry) => (typeof entry === 'string' ? { message_type: entry } : entry));
  expect(history.map(({ messageType }) => messageType)).toEqual(
    wanted.map(({ message_type }) => message_type),
  );
  for (const [index, entry] of wanted.entries()) {
    const envelope = history[index];
    if (!envelope) continue;
    if (entry.message_id !== undefined) expect(envelope.messageId).toBe(entry.message_id);
    if (entry.sender !== undefined) expect(envelope.sender).toBe(entry.sender);
    if (entry.timestamp_offset_ms !== undefined)
      expect(envelope.timestampUnixMs - zero).toBe(entry.timestamp_offset_ms);
    for (const [key, value] of Object.entries(entry.payload ?? {}))
      expect(decodedField(envelope.messageType, envelope.payload, key, envelope.mode), key).toEqual(value);
  }
}

/** Offers and outcome, from the history alone: that is all a client has. */
function compareOutcome(history: readonly Envelope[], fixture: Fixture): void {
  const answers = { HandoffOffer: 'Offered', HandoffAccept: 'Accepted', HandoffDecline: 'Declined' };
  const dispositions = new Map<unknown, string>();
  for (const { messageType, payload } of history) {
    const disposition = answers[messageType as keyof typeof answers];
    if (disposition) dispositions.set(decodedField(messageType, payload, 'handoff_id'), disposition);
  }
  for (const [id, { disposition }] of Object.entries(fixture.expected_mode_state?.offers ?? {}))
    expect(dispositions.get(id), id).toBe(disposition);
  const commitment = history.find(({ messageType }) => messageType === 'Commitment');
  if (fixture.expect_resolution_present !== undefined)
    expect(commitment !== undefined).toBe(fixture.expect_resolution_present);
  for (const [key, value] of Object.entries(fixture.expected_resolution ?? {}))
    expect(commitment && decodedField('Commitment', commitment.payload, key), key).toEqual(value);
}

/** State, deadline, activity and history of every session of the fixture, as its initiator sees them now. */
export async function snapshot(runner: WireRunner): Promise<unknown> {
  const bearer = runner.agents.bearer(runner.fixture.initiator);
  const read = async (id: string) => {
    const metadata = await runner.door().get(id, bearer);
    return isRefused(metadata) ? metadata : { metadata, history: await runner.door().history(id, bearer) };
  };
  return Promise.all(runner.sessionIds.map(read));
}
