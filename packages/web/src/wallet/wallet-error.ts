import { plainText } from '../format/plain-text.js';

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

/** For the person at the page. */
export const errorText = (thrown: unknown): string =>
  errorCode(thrown) === REJECTED ? REFUSED_TEXT : reportedText(thrown);

/** For the record: what was thrown, in its own words. */
export function reportedText(thrown: unknown): string {
  const message =
    thrown !== null && typeof thrown === 'object' && 'message' in thrown ? thrown.message : thrown;
  return plainText(typeof message === 'string' ? message : 'The wallet reported an error.', 300);
}
