/**
 * Random sequences in every mode beside Handoff, checked after each message: the answer is the model's, what was refused or said
 * before changes nothing, what is resolved stays as it is, and the log alone gives the same session, through an export, too.
 */
import { canonicalJson, exportOf, readExport } from '@handover/core';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { nodeCodec } from '../../packages/server/src/platform/node-codec.js';
import { sessionRef } from '../../packages/server/src/services/stream-refs.js';
import type { ModeModel } from '../model/modes/mode-model.js';
import { everyModel } from '../model/modes/models.js';
import { ModeRun } from './mode-run.js';
import { fold, shown } from './shown.js';

const RUNS = 40;
const KINDS = ['commit', 'any', 'retry', 'reuse', 'after a rejection', 'restart'] as const;
const move = fc.record({
  kind: fc.oneof({ weight: 2, arbitrary: fc.constant('sound' as const) }, fc.constantFrom(...KINDS)),
  pick: fc.nat(),
  of: fc.nat(),
});
type Move = typeof move extends fc.Arbitrary<infer M> ? M : never;

async function make<State>(run: ModeRun<State>, { kind, pick, of }: Move): Promise<void> {
  if (kind === 'restart') return run.restart();
  if (kind === 'retry') return run.retry(of);
  const isSound = kind === 'sound' || kind === 'commit';
  const said = isSound ? run.sound(pick, kind === 'commit') : run.any(pick);
  if (!said) return;
  if (kind === 'reuse') return run.reuse(of, said);
  if (kind !== 'after a rejection') return run.say(said);
  const burnt = run.rejected[of % Math.max(run.rejected.length, 1)];
  const isFree = burnt && !run.accepted.some(({ messageId }) => messageId === burnt.messageId);
  if (isFree) return run.say(said, { messageId: burnt.messageId });
}

async function holds<State>(model: ModeModel<State>, moves: readonly Move[]): Promise<boolean> {
  const run = new ModeRun(model);
  await run.begin();
  let resolved: unknown;
  for (const next of moves) {
    await make(run, next);
    if (resolved !== undefined) expect(await run.seen()).toEqual(resolved);
    else if (run.model.status === 'RESOLVED') resolved = await run.seen();
  }
  const entries = await run.entries();
  expect(entries.map(({ messageId }) => messageId)).toEqual(run.accepted.map(({ messageId }) => messageId));
  const live = shown(await run.state());
  expect(shown(fold(entries))).toBe(live);
  const [first] = entries;
  if (!first) throw new Error('there is no SessionStart');
  const exported = exportOf(sessionRef('default', first.stream.id), entries, nodeCodec);
  const read = readExport(JSON.parse(canonicalJson(exported)), nodeCodec);
  if ('flaw' in read) throw new Error(read.flaw.what);
  expect(shown(fold(read.entries))).toBe(live);
  return resolved !== undefined;
}

describe('random sessions of', () => {
  const resolved: number[] = [];
  let models = 0;
  everyModel((name, model) => {
    models += 1;
    it(name, async () => {
      let count = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 40 }), async (moves) => {
          if (await holds(model, moves)) count += 1;
        }),
        { numRuns: RUNS },
      );
      resolved.push(count);
    });
  });

  // Some policies let few random sessions end; of all together it must be many, or nothing was shown of those that are over.
  afterAll(() => {
    const all = resolved.reduce((sum, count) => sum + count, 0);
    if (resolved.length === models) expect(all).toBeGreaterThan((models * RUNS) / 4);
  });
});
