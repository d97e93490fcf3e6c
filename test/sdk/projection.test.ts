import { corePayloads, payloadToJson } from '@handover/core';
import fc from 'fast-check';
import { HandoffProjection } from 'macp-sdk-typescript';
import { describe, expect, it } from 'vitest';
import { nodeCodec } from '../../packages/server/src/platform/node-codec.js';
import { envelopesOf, loadProjectionFixtures } from './support/fixtures.js';

const fixtures = loadProjectionFixtures();

/** A projection in the fixtures' words. */
function told(projection: HandoffProjection) {
  const offers = [...projection.offers].map(([id, offer]) => [
    id,
    {
      target_participant: offer.targetParticipant,
      scope: offer.scope,
      reason: offer.reason,
      offered_by: offer.sender,
      disposition: offer.disposition,
      implicit: offer.implicit,
      answered_by: offer.acceptedBy ?? offer.declinedBy ?? null,
      answer_reason: offer.answerReason ?? null,
    },
  ]);
  const contexts = [...projection.contexts].map(([id, records]) => [
    id,
    records.map(({ contentType, context, sender, late }) => ({
      content_type: contentType,
      context_b64: Buffer.from(context).toString('base64'),
      sender,
      late,
    })),
  ]);
  const { commitment } = projection;
  return {
    detailed_phase: projection.detailedPhase,
    offers: Object.fromEntries(offers),
    contexts: Object.fromEntries(contexts),
    commitment: commitment ? payloadToJson(corePayloads.Commitment, commitment, nodeCodec) : null,
    active_offer: projection.activeOffer()?.handoffId ?? null,
    transcript_length: projection.transcript.length,
  };
}

describe('projection fixtures', () => {
  it('are there', () => expect(fixtures.length).toBeGreaterThanOrEqual(12));

  it.each(fixtures)('$name: $about', (fixture) => {
    const projection = new HandoffProjection();
    for (const envelope of envelopesOf(fixture)) projection.applyEnvelope(envelope);
    expect(told(projection)).toEqual(fixture.expected);
    expect(Object.keys(told(projection).offers)).toEqual(Object.keys(fixture.expected.offers));
  });

  it.each(fixtures)('$name: applying everything twice changes nothing', (fixture) => {
    const projection = new HandoffProjection();
    const envelopes = envelopesOf(fixture);
    for (const envelope of envelopes) projection.applyEnvelope(envelope);
    const before = told(projection);
    for (const envelope of envelopes) expect(projection.applyEnvelope(envelope)).toBe(false);
    expect(told(projection)).toEqual(before);
  });
});

describe('the order of a history', () => {
  const [late] = fixtures.filter(({ name }) => name === 'late-context');
  const history = late ? envelopesOf(late) : [];

  it('is the runtime’s, whatever was applied before the stream brought it', () => {
    const straight = new HandoffProjection();
    for (const [index, envelope] of history.entries())
      straight.applyEnvelope(envelope, { sequence: index + 1 });
    fc.assert(
      fc.property(fc.shuffledSubarray(history), (own) => {
        const projection = new HandoffProjection();
        for (const envelope of own) projection.applyEnvelope(envelope);
        for (const [index, envelope] of history.entries())
          projection.applyEnvelope(envelope, { sequence: index + 1 });
        expect(projection.transcript).toEqual(history);
        expect(told(projection)).toEqual(told(straight));
      }),
    );
  });
});
