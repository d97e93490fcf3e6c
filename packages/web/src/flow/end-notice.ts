/** What is said in the moment in which a wallet has answered. What follows from it is the server's to say. */
import { quoted } from '../format/quoted.js';
import { MAX_SAID, REFUSED_TEXT } from '../wallet/wallet-error.js';
import type { AskOutcome } from './asking.js';
import type { Notice } from './review.js';

export function endNotice(
  { claim, end, text = '', isTold }: AskOutcome,
  isLookedAt: boolean,
): Notice | undefined {
  if (claim) return isTold ? { tone: 'info', text: isLookedAt ? TOLD : TOLD_ONLY } : undefined;
  return end && { tone: 'error', text: endText(end, text) };
}

const TOLD = 'Your wallet has answered. The server now looks for it on the network.';
const TOLD_ONLY = 'Your wallet has answered, and the server has recorded that. It cannot see this network.';

function endText({ answer, walletCode }: NonNullable<AskOutcome['end']>, text: string): string {
  if (answer === 'refused') return REFUSED_TEXT;
  const says = `Your wallet says: “${quoted(text, MAX_SAID)}”.`;
  if (answer === 'unclear') return `${says} It is not known whether this was sent: look in the wallet.`;
  const isWallets = answer === 'not_opened' && walletCode !== undefined;
  return isWallets ? `${says} It did not open the request.` : text;
}
