/** The fixtures of each mode beside Handoff, asked of its model: so far as they speak only of what a model knows. */
import { findPayload } from '@handover/core';
import { describe, expect, it } from 'vitest';
import type { Fixture, JsonObject, MessageStep, Step } from '../../conformance/fixture-types.js';
import { loadFixtures } from '../../conformance/load-fixtures.js';
import { codec } from '../../kit/codec.js';
import { modelOf, nameIn } from './fixture-models.js';
import { judge, type ModeModel, type Said, type Session, type Verdict } from './mode-model.js';

const LEAST = {
  'macp.mode.decision.v1': 40,
  'macp.mode.proposal.v1': 22,
  'macp.mode.task.v1': 26,
  'macp.mode.quorum.v1': 16,
  'ext.multi_round.v1': 5,
};

/** No time, no faults, no envelopes out of the ordinary, no Commitment that contradicts itself or the session. */
function isExpressible({ start, setup, server, messages, ...fixture }: Fixture): boolean {
  return start === undefined && setup === undefined && server === undefined && messages.every(isPlain);

  function isPlain(step: Step): boolean {
    if (!('message_type' in step)) return false;
    const special = step.envelope ?? step.credential ?? step.door ?? ('fault' in step ? step : undefined);
    if (special !== undefined || step.expect === 'duplicate') return false;
    return step.message_type === 'Commitment' ? isSound(step.payload) : true;
  }

  function isSound(payload: JsonObject): boolean {
    const texts = ['commitment_id', 'action', 'authority_scope', 'reason'];
    if (texts.some((key) => String(payload[key] ?? '').trim() === '')) return false;
    const positive = payload.outcome_positive === true;
    const contradicts = positive ? /(rejected|failed|declined)$/ : /(selected|accepted|completed|approved)$/;
    const isOfSession =
      payload.mode_version === fixture.mode_version &&
      payload.configuration_version === fixture.configuration_version;
    return isOfSession && !contradicts.test(String(payload.action));
  }
}

/** The one task and the one request of a session have these ids in the models. */
const IDS = new Map([
  ['t1', 't'],
  ['r1', 'r'],
]);

/** Bytes stand in base64; a model asks only whether there are some. */
function saidIn(fixture: Fixture, { message_type: type, sender, payload }: MessageStep): Said {
  const kind = findPayload(fixture.mode, type);
  const defaults = kind ? (codec.decode(kind, new Uint8Array(0)) as object) : {};
  const isBytes = (value: unknown) => value instanceof Uint8Array;
  const plain = Object.fromEntries(Object.entries(defaults).filter(([, value]) => !isBytes(value)));
  const given = Object.entries(payload).map(([name, value]) => {
    const property = name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
    const isName = ['assignee', 'requestedAssignee'].includes(property);
    return [property, isName ? nameIn(fixture)(String(value)) : (IDS.get(String(value)) ?? value)] as const;
  });
  const fields = { ...plain, ...Object.fromEntries(given) } as Said['fields'];
  return { type: kind ? type : 'Unknown', sender: nameIn(fixture)(sender), fields };
}

function run<State>(model: ModeModel<State>, fixture: Fixture): void {
  let session: Session<State> = { status: 'OPEN', state: model.initial };
  for (const step of fixture.messages as readonly MessageStep[]) {
    const verdict: Verdict<State> = judge(model, session, saidIn(fixture, step));
    const told = JSON.stringify(step);
    expect('code' in verdict ? verdict.code : 'ok', told).toBe(step.expected_error_code ?? 'ok');
    if ('code' in verdict) {
      const codes = step.expected_denials?.map(({ code }) => code);
      if (codes) expect(verdict.denials, told).toEqual(codes);
    } else session = verdict.session;
  }
  expect(session.status).toBe(fixture.expected_final_state?.toUpperCase());
}

describe.each(Object.entries(LEAST))('model and fixtures of %s agree', (mode, least) => {
  const own = loadFixtures().filter(({ fixture }) => fixture.mode === mode && isExpressible(fixture));

  it('on most of the fixtures', () => expect(own.length).toBeGreaterThanOrEqual(least));

  it.each(own.map(({ name, fixture }) => [name, fixture] as const))('%s', (_, fixture) => {
    modelOf(fixture, (model) => run(model, fixture));
  });
});
