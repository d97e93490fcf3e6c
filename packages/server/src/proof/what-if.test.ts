import { HANDOFF_MODE, QUORUM_MODE, WhatIfKind, WhatIfReplay } from '@handover/core';
import { createMemoryStore } from '@handover/engine';
import { beforeAll, expect, it } from 'vitest';
import { verifies } from '../../../../test/conformance/verifies.js';
import { nodeCodec as codec } from '../platform/node-codec.js';
import { idOf, STORIES, sessionOf, tellStories, World } from './stories.test.helper.js';

const world = new World(createMemoryStore());
beforeAll(() => tellStories(world));

async function replayed(name: string, candidate: ConstructorParameters<typeof WhatIfReplay>[0]) {
  const ref = sessionOf(idOf(name), name === 'cancelled-early' ? 'other' : 'default');
  const replay = new WhatIfReplay(candidate, codec);
  const outcomes = (await world.entries(ref)).flatMap((entry) => replay.add(entry) ?? []);
  return { replay, outcomes };
}

it(`${verifies('macp-2026:15:outcomes')}a start that the candidate refuses leaves no session for the rest`, async () => {
  const { replay, outcomes } = await replayed('accepted', { mode: QUORUM_MODE, schemaVersion: 1, rules: {} });
  expect(outcomes.map(({ candidate }) => candidate.kind)).toEqual([
    WhatIfKind.Refused,
    ...Array(6).fill(WhatIfKind.NoSession),
  ]);
  expect(outcomes[0]?.candidate).toMatchObject({ rejection: { code: 'INVALID_POLICY_DEFINITION' } });
  expect(outcomes.every(({ candidate }) => candidate.state === undefined)).toBe(true);
  expect([replay.candidate.state, replay.candidate.resolution, replay.firstDivergence]).toEqual([
    undefined,
    undefined,
    0,
  ]);
});

it.each(STORIES)(
  `${verifies('macp-2026:15:divergence')}%s comes out as it is under its own policy`,
  async (name) => {
    const ref = sessionOf(idOf(name), name === 'cancelled-early' ? 'other' : 'default');
    const { policy, mode } = (await world.engine.query(ref))?.state ?? {};
    if (!policy || !mode) throw new Error('no such session');
    const { replay, outcomes } = await replayed(name, policy);
    expect(replay.firstDivergence).toBeUndefined();
    expect(replay.candidate.resolution).toEqual(replay.recorded.resolution);
    expect(outcomes.map(({ historyIndex }) => historyIndex)).toEqual(outcomes.map((_, i) => i));
    expect(outcomes.every(({ candidate }) => candidate.kind === WhatIfKind.Applied)).toBe(true);
  },
);

it(`${verifies('macp-2026:15:divergence')}work that is handed over stays bound to its owner`, async () => {
  const { replay } = await replayed('bound', { mode: HANDOFF_MODE, schemaVersion: 1, rules: {} });
  expect(replay.firstDivergence).toBeUndefined();
});
