import {
  type HandoffPackage,
  makePackage,
  PACKAGE_CONTENT_TYPE,
  packageBytes,
  type StreamRef,
  summarize,
  type WorklogState,
} from '@handover/core';
import { foldNotes } from './context-entries.js';
import type { HandoffDependencies } from './dependencies.js';

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
  const { fold, headHash } = await foldNotes(deps, ref, upTo);
  const gathered = fold.result();
  const summary = summarize(gathered, { sessionKey: key, owner }, deps.settingsNow().packageTokenBudget);
  const { firstNumber: firstSequence, lastNumber: lastSequence, entries, counts } = gathered;
  const manifest = { firstSequence, lastSequence, entries, headHash, counts };
  const made = makePackage({ ...request, summary, manifest }, deps.codec);
  return { contentType: PACKAGE_CONTENT_TYPE, context: packageBytes(made, deps.codec) };
}
