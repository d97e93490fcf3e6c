import { describe, expect, it } from 'vitest';
import type { Fixture, Step } from '../conformance/fixture-types.js';
import { loadFixtures } from '../conformance/load-fixtures.js';
import { isExpressible, rulesOf, toMessage } from './fixture-messages.js';
import { initial, type State, step } from './handoff-model.js';

const ANSWERS = { Offered: 'pending', Accepted: 'accepted', Declined: 'declined' } as const;
const expressible = loadFixtures().filter(({ fixture }) => isExpressible(fixture));

function expectedOf(fixtureStep: Step): string | undefined {
  if ('control' in fixtureStep && fixtureStep.expected_grpc_status === 'PERMISSION_DENIED')
    return 'FORBIDDEN';
  if ('control' in fixtureStep || 'message_type' in fixtureStep)
    return fixtureStep.expected_error_code ?? 'ok';
  return undefined;
}

function run(fixture: Fixture, state: State, fixtureStep: Step): State {
  if ('get' in fixtureStep && fixtureStep.get.expect_state !== undefined) {
    expect(state.phase).toBe(fixtureStep.get.expect_state);
  }
  const expected = expectedOf(fixtureStep);
  if (expected === undefined) return state;
  const verdict =
    'control' in fixtureStep
      ? step(state, { type: fixtureStep.control, sender: fixtureStep.sender })
      : 'message_type' in fixtureStep
        ? step(state, toMessage(fixture, fixtureStep))
        : undefined;
  expect(verdict?.accept === false ? verdict.codeClass : 'ok', JSON.stringify(fixtureStep)).toBe(expected);
  return verdict?.accept ? verdict.state : state;
}

describe('model and fixtures agree', () => {
  it('on a good part of the fixtures', () => {
    expect(expressible.length).toBeGreaterThan(80);
  });

  it.each(expressible.map(({ name, fixture }) => [name, fixture] as const))('%s', (_, fixture) => {
    const start = initial(fixture.participants, fixture.initiator, rulesOf(fixture));
    const end = fixture.messages.reduce((state, fixtureStep) => run(fixture, state, fixtureStep), start);
    expect(end.phase).toBe(fixture.expected_final_state);
    for (const [id, { disposition }] of Object.entries(fixture.expected_mode_state?.offers ?? {})) {
      expect(end.offers.find((offer) => offer.id === id)?.answer).toBe(ANSWERS[disposition]);
    }
  });
});
