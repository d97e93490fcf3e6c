/** What an error of a wallet means for the ask (docs/spec/review.md 1.1). */
import { errorCode } from './wallet-error.js';

export type WalletAnswer = 'refused' | 'not_opened' | 'unclear';

/** The wallet says that the person said no. */
const REFUSED = new Set([4001, 5750]);
/** The wallet never asked. */
const NOT_OPENED = new Set([
  4100, 4200, 4902, 5700, 5710, 5740, 5760, -32_002, -32_600, -32_601, -32_602, -32_700,
]);

/** Every other error, with a code or without, leaves it open whether something was signed. */
export function answerOf(thrown: unknown): { readonly answer: WalletAnswer; readonly walletCode?: number } {
  const walletCode = errorCode(thrown);
  if (walletCode === undefined) return { answer: 'unclear' };
  if (REFUSED.has(walletCode)) return { answer: 'refused', walletCode };
  return { answer: NOT_OPENED.has(walletCode) ? 'not_opened' : 'unclear', walletCode };
}
