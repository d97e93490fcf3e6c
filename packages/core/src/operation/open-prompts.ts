/**
 * Which wallet prompts may still be open. Nobody can close one from outside: it is gone when the wallet says so, when what it
 * asks for was told, or when the number that it would have used is used. That somebody said "I did not sign", and that the
 * chain showed nothing of it, does not close it.
 */
import { AskStanding, type AskState, type OperationFacts } from './state.js';

const UNANSWERED: readonly AskStanding[] = [
  AskStanding.Open,
  AskStanding.Unclear,
  AskStanding.Quiet,
  AskStanding.Lapsed,
];

/** Only claims: those of the record itself, and of one that was made in its place. */
type Claimed = Pick<OperationFacts, 'steps'>;

function mayBePrompted(ask: AskState, claimed: Claimed): boolean {
  if (UNANSWERED.includes(ask.standing)) return true;
  return ask.standing === AskStanding.NotSigned && !isNumberUsed(ask, claimed);
}

export const openPrompts = (
  { asks, steps }: Pick<OperationFacts, 'asks' | 'steps'>,
  others: Claimed = { steps: [] },
): readonly AskState[] => asks.filter((ask) => mayBePrompted(ask, { steps: [...steps, ...others.steps] }));

/** A transaction of the same account with this number is in a block: no other one can be. */
function isNumberUsed({ account, pendingNonce, nonce }: AskState, { steps }: Claimed): boolean {
  const number = pendingNonce ?? nonce;
  if (account === undefined || number === undefined) return false;
  return steps.some(({ claims }) =>
    claims.some((claim) => claim.sender === account && claim.nonce === number && claim.block !== undefined),
  );
}
