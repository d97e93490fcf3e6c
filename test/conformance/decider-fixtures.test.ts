import { EXPIRED_TYPE, type SessionState } from '@handover/core';
import { describe, expect, it } from 'vitest';
import { DeciderRunner, dispositionsOf, isForDeciders } from './decider-runner.js';
import { decodedField } from './encode-payload.js';
import type { Fixture, HistoryEntry } from './fixture-types.js';
import { loadFixtures } from './load-fixtures.js';

const fixtures = loadFixtures().filter(({ fixture }) => isForDeciders(fixture));

function compareHistory(runner: DeciderRunner, expected: readonly (string | HistoryEntry)[]): void {
  const entries = runner.world.session(runner.sessionId)?.entries ?? [];
  const envelopes = entries.filter((entry) => entry.type !== EXPIRED_TYPE);
  expect(envelopes.map((entry) => entry.type)).toEqual(
    expected.map((entry) => (typeof entry === 'string' ? entry : entry.message_type)),
  );
  expected.forEach((entry, index) => {
    const stored = envelopes[index];
    if (typeof entry === 'string' || stored === undefined) return;
    if (entry.message_id !== undefined) expect(stored.messageId).toBe(entry.message_id);
    if (entry.sender !== undefined) expect(stored.actor).toBe(entry.sender);
    if (entry.timestamp_offset_ms !== undefined)
      expect(stored.at - runner.zero).toBe(entry.timestamp_offset_ms);
    for (const [key, value] of Object.entries(entry.payload ?? {})) {
      expect(decodedField(stored.type, stored.payload, key, String(stored.facts.mode))).toEqual(value);
    }
  });
}

/** An extension mode is built anew by every fold: its functions are others, what it says of itself is the same. */
const comparable = (state: SessionState | undefined) =>
  state && { ...state, mode: state.mode.descriptor, run: { ...state.run, mode: undefined } };

function compareEnd(runner: DeciderRunner, fixture: Fixture): void {
  const stream = runner.world.session(runner.sessionId);
  const state = stream?.state;
  if (fixture.expected_history !== undefined) compareHistory(runner, fixture.expected_history);
  expect(state?.status ?? null).toBe(fixture.expected_final_state?.toUpperCase() ?? null);
  if (state === undefined || stream === undefined) return;
  if (fixture.expected_deadline_offset_ms !== undefined)
    expect(state.deadline - runner.zero).toBe(fixture.expected_deadline_offset_ms);
  if (fixture.expect_resolution_present !== undefined)
    expect(state.outcomePositive !== undefined).toBe(fixture.expect_resolution_present);
  for (const [id, { disposition }] of Object.entries(fixture.expected_mode_state?.offers ?? {})) {
    expect(dispositionsOf(state)[id]).toBe(disposition.toLowerCase());
  }
  expect(comparable(runner.world.replay(stream))).toEqual(comparable(state));
}

describe('the rules, without a server', () => {
  it('are shown by most fixtures', () => {
    expect(fixtures.length).toBeGreaterThan(250);
  });

  it.each(fixtures.map(({ name, fixture }) => [name, fixture] as const))('%s', (_, fixture) => {
    const runner = new DeciderRunner(fixture);
    const { policy, setup = [], messages } = fixture;
    if (policy !== undefined) runner.run({ register: { kind: 'policy', policy, expect: 'ok' } }, '');
    setup.forEach((step, index) => {
      runner.run(step, `s${index + 1}`);
    });
    runner.start();
    messages.forEach((step, index) => {
      runner.run(step, `m${index + 1}`);
    });
    compareEnd(runner, fixture);
  });
});
