/** What `handover verify` says of receipts of operations. */
import {
  type AnyOperationReceipt,
  Basis,
  type OperationReceipt,
  ReasonCode,
  Verification,
} from '@handover/core';
import { type Output, SIGNER_KNOWN, SIGNER_UNKNOWN } from './audit-command.js';
import { line, table, time } from './print-lines.js';

export function printOperationReceipt(
  path: string,
  receipt: AnyOperationReceipt,
  known: boolean,
  json: boolean,
  { out }: Output,
): void {
  if (json) {
    line(out, { ok: known, kind: 'receipt', path, signer: known ? 'known' : 'unknown', receipt, flaws: [] });
    return;
  }
  const { operation_id, family, tenant, outcome, digest, chain_id, chain } = receipt;
  table(out, `${path}: receipt of an operation`, {
    operation: `${operation_id} (tenant ${tenant}, ${family})`,
    ...effectRows(receipt),
    outcome,
    digest: `${digest} on chain ${chain_id}`,
    steps: stepWords(receipt).join(', ') || 'none',
    chain: `entry ${chain.seq}, ${chain.hash}`,
  });
  out(known ? SIGNER_KNOWN : SIGNER_UNKNOWN);
}

/** What the newest of them says is what counts. */
export function printReceiptChain(
  receipts: readonly OperationReceipt[],
  json: boolean,
  { out }: Output,
): void {
  const sorted = [...receipts].sort((a, b) => a.no - b.no);
  const [first, newest] = [sorted[0], sorted.at(-1)];
  if (!first || !newest) return;
  const { operation_id: operation, no, effect, outcome } = newest;
  if (json) {
    line(out, { ok: true, kind: 'receipts', operation, from: first.no, to: no, effect, outcome, flaws: [] });
    return;
  }
  table(out, `receipts ${first.no} to ${no} of ${operation}`, {
    chain: 'each names the one before it',
    effect: `${effect}, as receipt ${no} says`,
    outcome,
    ...(first.no > 1 && { missing: `receipts before ${first.no} were not given` }),
  });
}

/** What moved comes before how it ended: it is what a reader decides by. */
function effectRows(receipt: AnyOperationReceipt): Readonly<Record<string, string>> {
  if (!('effect' in receipt))
    return {
      effect: 'format 1 does not say whether a wallet prompt was open',
      verified: receipt.verification,
    };
  const { effect, basis, no, report_until } = receipt;
  return {
    effect: `${effect}, ${basisWords(basis)}`,
    receipt: `this was receipt ${no}; the server may have issued a later one until ${time(report_until)}`,
  };
}

const basisWords = (basis: readonly string[]): string =>
  basis.includes(Basis.NotAsked) ? 'since no wallet was asked' : `on the word of ${basis.join(', ')}`;

function stepWords(receipt: AnyOperationReceipt): readonly string[] {
  if (!('effect' in receipt))
    return receipt.steps.map(({ id, status, tx_hash }) => `${id} ${status} ${tx_hash ?? ''}`.trim());
  return receipt.steps.map(({ id, status, effect, claims }) => {
    const values = claims.map((claim) => `${claim.carrier ?? claim.value} ${claimWords(claim)}`);
    return `${id} ${status} (${effect}) ${values.join('; ')}`.trim();
  });
}

const ASIDE: readonly string[] = [ReasonCode.HashUsed, ReasonCode.TooOld];
const NOTHING: readonly string[] = [ReasonCode.Reverted, ReasonCode.Replaced];

/** What became of one hash: of several, only some count. */
function claimWords({ verification, reason }: OperationReceipt['steps'][number]['claims'][number]): string {
  const why = reason === undefined ? '' : `, ${reason}`;
  if (verification === Verification.Matched) return `(settled as asked${why})`;
  if (reason !== undefined && ASIDE.includes(reason)) return `(set aside${why})`;
  if (reason !== undefined && NOTHING.includes(reason)) return `(came to nothing${why})`;
  return verification === Verification.Mismatched ? `(something else${why})` : `(not settled${why})`;
}
