import { ApiError } from '../api/api.js';
import { plainText } from '../format/plain-text.js';
import { quoted } from '../format/quoted.js';

export const REJECTED = 4001;
export const UNKNOWN_CHAIN = 4902;
export const REFUSED_TEXT = 'You refused in the wallet.';

/** The code of an EIP-1193 or JSON-RPC error; undefined when the wallet gave none. */
export function errorCode(thrown: unknown): number | undefined {
  if (thrown === null || typeof thrown !== 'object') return undefined;
  const nested = 'data' in thrown ? nestedCode(thrown.data) : undefined;
  return nested ?? ('code' in thrown && typeof thrown.code === 'number' ? thrown.code : undefined);
}

/** Mobile wallets wrap "unknown chain" in an internal error. */
function nestedCode(data: unknown): number | undefined {
  if (data === null || typeof data !== 'object' || !('originalError' in data)) return undefined;
  return errorCode(data.originalError) === UNKNOWN_CHAIN ? UNKNOWN_CHAIN : undefined;
}

/** What this page says by itself. Everything else that is thrown holds the words of others. */
export class OwnError extends Error {
  override readonly name: string = 'OwnError';
}

/** What the node of a network says. */
export class NodeError extends Error {
  override readonly name: string = 'NodeError';
}

/** As much as is shown and kept of the words of others. */
export const MAX_SAID = 300;

/** For the person at the page: the words of others are quoted, for they may say anything. */
export function errorText(thrown: unknown): string {
  if (thrown instanceof OwnError || thrown instanceof ApiError) return reportedText(thrown);
  if (errorCode(thrown) === REJECTED) return REFUSED_TEXT;
  const who = thrown instanceof NodeError ? 'The node of the network' : 'Your wallet';
  return `${who} says: “${quoted(reportedText(thrown), MAX_SAID)}”.`;
}

/** For the record: what was thrown, in its own words. */
export function reportedText(thrown: unknown): string {
  const message =
    thrown !== null && typeof thrown === 'object' && 'message' in thrown ? thrown.message : thrown;
  return plainText(typeof message === 'string' ? message : 'The wallet reported an error.', MAX_SAID);
}
