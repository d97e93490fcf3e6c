import {
  type HandoffPackage,
  makePackage,
  PACKAGE_CONTENT_TYPE,
  packageBytes,
  type StreamRef,
  type WorklogState,
  writeBrief,
} from '@handover/core';
import type { HandoffDependencies } from './dependencies.js';
import { gatherSession } from './gather-session.js';

type Request = Pick<
  HandoffPackage,
  'handoffId' | 'sessionKey' | 'from' | 'to' | 'requestType' | 'requestData'
>;

/** The package of a working session up to a number, as the context of a handoff. */
export async function buildPackage(
  deps: HandoffDependencies,
  ref: StreamRef,
  { key, owner }: WorklogState,
  upTo: number,
  request: Request,
): Promise<{ readonly contentType: string; readonly context: Uint8Array }> {
  const budget = deps.settingsNow().packageTokenBudget;
  const { gathered, headHash } = await gatherSession(deps, ref, upTo, budget);
  const brief = writeBrief(gathered, { sessionKey: key, owner }, budget, deps.codec);
  const { firstNumber: firstSequence, lastNumber: lastSequence, entries } = gathered;
  const counts = Object.fromEntries(gathered.counts);
  const manifest = { firstSequence, lastSequence, entries, headHash, counts };
  const made = makePackage({ ...request, brief, manifest }, deps.codec);
  return { contentType: PACKAGE_CONTENT_TYPE, context: packageBytes(made, deps.codec) };
}
