import {
  type BriefEntry,
  type HandoffPackage,
  makePackage,
  PACKAGE_CONTENT_TYPE,
  packageBytes,
  writeBrief,
} from '@handover/core';
import type { HandoffDependencies } from './dependencies.js';
import type { GatheredSession } from './gather-session.js';

type Request = Pick<
  HandoffPackage,
  'handoffId' | 'sessionKey' | 'from' | 'to' | 'requestType' | 'requestData'
>;

/** An entry that is stored together with the package, after those up to the number. */
export interface AddedEntry {
  readonly entry: BriefEntry;
  /** Of its payload. */
  readonly digest: string;
}

/** The package of what was gathered of a working session, as the context of a handoff. */
export function buildPackage(
  deps: HandoffDependencies,
  { gathered, headHash }: GatheredSession,
  request: Request,
  added?: AddedEntry,
): { readonly contentType: string; readonly context: Uint8Array } {
  const { sessionKey, from: owner } = request;
  const budget = deps.settingsNow().packageTokenBudget;
  const brief = writeBrief(gathered, { sessionKey, owner }, budget, deps.codec);
  const { firstNumber: firstSequence, lastNumber: lastSequence, entries } = gathered;
  const counts = Object.fromEntries(gathered.counts);
  const manifest = {
    ...{ firstSequence, lastSequence, entries, headHash, counts },
    ...(added && { added: { sequence: added.entry.number, digest: added.digest } }),
  };
  const made = makePackage({ ...request, brief, manifest }, deps.codec);
  return { contentType: PACKAGE_CONTENT_TYPE, context: packageBytes(made, deps.codec) };
}
