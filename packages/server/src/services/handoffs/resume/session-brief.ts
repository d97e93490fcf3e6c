/** The brief of a working session, and of an offer, in as many tokens as there is room for. */
import { type Brief, type ReadPackage, type StreamRef, tokensOf, writeBrief } from '@handover/core';
import type { HandoffDependencies } from '../dependencies.js';
import type { FoundHandoff } from '../find-handoff.js';
import { gatherSession } from '../gather-session.js';
import type { PackageReads } from '../get-package.js';
import type { BriefSource } from './types.js';

/** As it stands now. */
export const sessionBrief = (
  deps: HandoffDependencies,
  ref: StreamRef,
  owner: string,
  upTo: number,
): BriefSource => ({
  upTo,
  write: async (tokenBudget) => {
    const { gathered } = await gatherSession(deps, ref, upTo, tokenBudget);
    return writeBrief(gathered, { sessionKey: ref.id, owner }, tokenBudget, deps.codec);
  },
});

/** As it was handed over. Of a working session that is gone, only those words are left. */
export function packageBrief(
  deps: HandoffDependencies,
  handed: ReadPackage,
  ref: StreamRef,
  isGone: boolean,
): BriefSource {
  const upTo = handed.manifest.lastSequence;
  const rebuilt = sessionBrief(deps, ref, handed.from, upTo);
  if (!('brief' in handed)) return rebuilt;
  const { brief: frozen } = handed;
  return {
    upTo,
    frozen,
    write: isGone ? async (budget) => beginningOf(frozen, budget) : rebuilt.write,
  };
}

/** An offer over MACP has no package: its own words are the brief. */
export const offerWords = (brief: PackageReads['brief'], found: FoundHandoff): BriefSource => ({
  upTo: 0,
  write: (tokenBudget) => brief(found, tokenBudget),
});

const MARK = '…';

function beginningOf(frozen: Brief, tokenBudget: number): Brief {
  const bytes = Buffer.from(frozen.text).subarray(0, tokenBudget * 4 - Buffer.byteLength(MARK));
  // A character that was cut in half is left out.
  const text = new TextDecoder().decode(bytes, { stream: true }) + MARK;
  return { ...frozen, text, tokens: tokensOf(text), tokenBudget };
}
