import type { JsonObject } from '../log/json.js';

/** When responsibility moves: with the answer, because the owner said so in advance, or with the owner's own Commitment. */
export const CommitBy = { OnAccept: 'on-accept', Owner: 'by-owner' } as const;
export type CommitBy = (typeof CommitBy)[keyof typeof CommitBy];

/** Whether the owner said it, or it is what holds for those who say nothing. */
export const Chosen = { Argument: 'argument', Default: 'default' } as const;
export type Chosen = (typeof Chosen)[keyof typeof Chosen];

export interface CommitRule {
  readonly commit: CommitBy;
  readonly chosen: Chosen;
}

/** None on what was written before the choice was recorded. */
export function commitRuleFrom({ commit, chosen }: JsonObject): CommitRule | undefined {
  const by = Object.values(CommitBy).find((word) => word === commit);
  const how = Object.values(Chosen).find((word) => word === chosen);
  return by && how && { commit: by, chosen: how };
}
