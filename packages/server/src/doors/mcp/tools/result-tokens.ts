/**
 * The most that a result may have, in tokens of its text. What does not fit is left to `next`, a call as it stands, or to
 * `nextCursor`. A result of registerSession may have more by the metadata that the caller sent.
 */
import { bytesOfTokens } from '../token-room.js';

/** Where the caller says how much, this is what it gets without saying so. */
export const DEFAULT_TOKENS = 6_000;
export const MOST_TOKENS = 20_000;

export const RESULT_TOKENS = {
  resume: DEFAULT_TOKENS,
  handOff: 1_500,
  updateContext: 1_200,
  readContext: DEFAULT_TOKENS,
  searchContext: 3_000,
  listSessions: 4_000,
  declineHandoff: 1_200,
  cancelHandoff: 1_200,
  closeSession: 1_200,
  whoAmI: 1_200,
  registerSession: 1_200,
  requestHandoff: 1_200,
  listHandoffs: 4_000,
  getHandoff: DEFAULT_TOKENS,
  waitForHandoff: 1_200,
  acceptHandoff: 1_200,
  sendHandoffContext: 1_200,
  commitHandoff: 1_200,
} as const;

type CappedTool = keyof typeof RESULT_TOKENS;

/** As long as one of unlisted-tools.ts may be. */
const HINT = 'x'.repeat(240);
/** The bytes that every success may have beside the fields of its tool. */
export const BYTES_AROUND = JSON.stringify({ success: true, replayed: true, hint: HINT }).length;

/** What the fields of a tool may take in its result. */
export const bytesFor = (tool: CappedTool, tokens: number = RESULT_TOKENS[tool]): number =>
  bytesOfTokens(tokens) - BYTES_AROUND;
