/** The projections of all modes, on transcripts that a real server delivered (projection-fixtures/<mode>). */
import { readdirSync } from 'node:fs';
import type { Envelope, JsonObject } from '@handover/core';
import fc from 'fast-check';
import {
  DecisionProjection,
  type HandoffProjection,
  MultiRoundProjection,
  ProposalProjection,
  QuorumProjection,
  type SessionProjection,
  STANDARD_MODES,
  TaskProjection,
} from 'macp-sdk-typescript';
import { describe, expect, it } from 'vitest';
import { verifies } from '../conformance/verifies.js';
import { coreView } from './support/core-view.js';
import { envelopesOf, loadModeFixtures } from './support/fixtures.js';
import { SCENARIOS } from './support/scenarios.js';
import { projectionOf, told } from './support/told.js';

const fixtures = loadModeFixtures();
const modeOf = (transcript: readonly Envelope[]) => transcript[0]?.mode ?? '';

function fold(transcript: readonly Envelope[], projection = projectionOf(modeOf(transcript))) {
  for (const envelope of transcript) projection.applyEnvelope(envelope);
  return projection;
}

describe('macp-2026:19 the projections of all modes', () => {
  it(`${verifies('macp-2026:19:projections')}have a fixture for each scenario, in every mode`, () => {
    expect(fixtures.map(({ name }) => name).sort()).toEqual(Object.keys(SCENARIOS).sort());
    const modes = new Set(fixtures.map((fixture) => modeOf(envelopesOf(fixture))));
    expect(modes).toEqual(new Set([...STANDARD_MODES, 'ext.multi_round.v1']));
    expect(readdirSync(new URL('./projection-fixtures/', import.meta.url))).toContain('README.md');
  });

  it.each(fixtures)(`${verifies('macp-2026:19:projections')}$name: $about`, (fixture) => {
    const transcript = envelopesOf(fixture);
    const projection = fold(transcript);
    expect(told(projection)).toEqual(fixture.expected);
    // Twice changes nothing.
    for (const envelope of transcript) expect(projection.applyEnvelope(envelope)).toBe(false);
    expect(told(projection)).toEqual(fixture.expected);
  });

  it.each(fixtures)('$name: in whatever order it came, with its places it is the same', (fixture) => {
    const transcript = envelopesOf(fixture)
      .filter(({ messageType }) => !messageType.startsWith('SessionS') || messageType === 'SessionStart')
      .filter(({ messageType }) => messageType !== 'SessionResume');
    const straight = told(fold(transcript));
    fc.assert(
      fc.property(fc.shuffledSubarray(transcript), (own) => {
        const projection = fold(own, projectionOf(modeOf(transcript)));
        for (const [index, envelope] of transcript.entries())
          projection.applyEnvelope(envelope, { sequence: index + 1 });
        expect(told(projection)).toEqual(straight);
      }),
      { numRuns: 30 },
    );
  });

  const sound = fixtures.filter(({ expected }) => (expected.anomalies as unknown[]).length === 0);
  it.each(sound)('$name: says what the runtime’s own state machine says', (fixture) => {
    const transcript = envelopesOf(fixture);
    const [view, seen] = sides(fold(transcript), coreView(transcript));
    expect(seen).toEqual(view);
  });

  it(`${verifies('macp-2026:19:projections')}an empty message id is never a repetition`, () => {
    const [vote] = fixtures.filter(({ name }) => name === 'decision/voted');
    const transcript = vote ? envelopesOf(vote) : [];
    const projection = fold(transcript.slice(0, 2));
    const evaluation = transcript.find(({ messageType }) => messageType === 'Evaluation');
    if (!evaluation) throw new Error('no evaluation');
    for (const _ of [1, 2]) projection.applyEnvelope({ ...evaluation, messageId: '' });
    expect((projection as DecisionProjection).evaluations).toHaveLength(2);
  });

  it('an option wins with more than half of the votes that do not abstain, over all options', () => {
    const [voted] = fixtures.filter(({ name }) => name === 'decision/voted');
    const transcript = voted ? envelopesOf(voted) : [];
    const winnerAfter = (votes: number) => {
      const cast = transcript.filter(({ messageType }) => messageType === 'Vote').slice(0, votes);
      const before = transcript.slice(0, 3);
      return (fold([...before, ...cast]) as DecisionProjection).majorityWinner();
    };
    // Approval, approval, a rejection of the other, an abstention.
    expect([0, 1, 2, 3, 4].map(winnerAfter)).toEqual([undefined, 'canary', 'canary', 'canary', 'canary']);
    const split = transcript
      .filter(({ messageType }, index) => index < 3 || messageType === 'Vote')
      .toSpliced(3, 1);
    expect((fold(split) as DecisionProjection).majorityWinner()).toBeUndefined();
  });

  it(`${verifies('macp-2026:19:projections')}stay committed, whatever comes after`, () => {
    for (const fixture of fixtures.filter(({ expected }) => expected.is_committed)) {
      const transcript = envelopesOf(fixture);
      const projection = fold(transcript);
      const { commitment } = projection;
      for (const envelope of transcript)
        projection.applyEnvelope({ ...envelope, messageId: `${envelope.messageId}-late` });
      expect(projection.phase).toBe('Committed');
      expect(projection.commitment).toBe(commitment);
    }
  });
});

/** The same facts twice, in the words of core's view and as the projection has them. */
function sides(projection: SessionProjection, view: JsonObject): readonly [unknown, unknown] {
  if (projection instanceof DecisionProjection) {
    const proposals = [...projection.proposals.values()].map(({ proposalId, sender }) => [
      proposalId,
      {
        proposed_by: sender,
        votes: Object.fromEntries(
          [...(projection.votes.get(proposalId)?.values() ?? [])].map(({ sender, vote }) => [sender, vote]),
        ),
      },
    ]);
    const { phase, evaluations, objections } = projection;
    return [
      plain({
        phase: view.phase,
        proposals: view.proposals,
        evaluations: (view.evaluations as JsonObject).count,
        objections: (view.objections as JsonObject).count,
      }),
      plain({
        phase,
        proposals: Object.fromEntries(proposals),
        evaluations: evaluations.length,
        objections: objections.length,
      }),
    ];
  }
  if (projection instanceof ProposalProjection)
    return [
      plain({
        acceptances: view.acceptances,
        counters: view.counter_proposals,
        proposals: Object.entries(view.proposals as JsonObject).map(([id, of]) => [
          id,
          (of as JsonObject).author,
          (of as JsonObject).disposition === 'Withdrawn',
          (of as JsonObject).rejected_for_good,
        ]),
      }),
      plain({
        acceptances: Object.fromEntries(projection.acceptances),
        counters: projection.counterProposals,
        proposals: [...projection.proposals.values()]
          .sort((a, b) => (a.proposalId < b.proposalId ? -1 : 1))
          .map(({ proposalId, sender, status }) => [
            proposalId,
            sender,
            status === 'withdrawn',
            projection.isTerminallyRejected(proposalId),
          ]),
      }),
    ];
  if (projection instanceof TaskProjection) {
    const { task, updates } = projection;
    const seen = view.task as JsonObject | undefined;
    return [
      plain([seen?.task_id, seen?.assignee, seen?.updates ?? 0, (seen?.report as JsonObject)?.kind]),
      plain([
        task?.taskId,
        task?.assignee,
        updates.length,
        projection.completions.length > 0
          ? 'completed'
          : projection.failures.length > 0
            ? 'failed'
            : undefined,
      ]),
    ];
  }
  if (projection instanceof QuorumProjection) {
    const { requestId = '', requiredApprovals = 0 } = [...projection.requests.values()][0] ?? {};
    const ballots = [...(projection.ballots.get(requestId)?.values() ?? [])];
    return [
      plain(view),
      plain({
        request: { request_id: requestId, required_approvals: requiredApprovals },
        ballots: Object.fromEntries(ballots.map(({ sender, choice }) => [sender, choice])),
      }),
    ];
  }
  if (projection instanceof MultiRoundProjection)
    return [
      plain([view.round, view.converged, Object.keys(view.values as JsonObject)]),
      plain([projection.round, projection.isConverged, [...projection.values.keys()].sort()]),
    ];
  const { offers } = projection as HandoffProjection;
  return [
    plain(Object.values(view.offers as JsonObject).map((offer) => (offer as JsonObject).target_participant)),
    plain([...offers.values()].map(({ targetParticipant }) => targetParticipant)),
  ];
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
