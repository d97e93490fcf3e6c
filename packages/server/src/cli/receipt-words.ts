/** What was asked for and what became of it, step by step, as lines that a person can read. */
import {
  type AnyOperationReceipt,
  CallKind,
  type OperationReceipt,
  ReasonCode,
  Verification,
} from '@handover/core';
import { coinsOf, readCalldata } from '@handover/evm';

type Step = OperationReceipt['steps'][number];
type Claim = Step['claims'][number];
type Call = NonNullable<Step['call']>;

export function stepLines(receipt: AnyOperationReceipt): readonly string[] {
  if (receipt.steps.length === 0) return ['steps       none'];
  if (!('effect' in receipt))
    return receipt.steps.map(({ id, status, tx_hash }) => row('step', `${id} ${status} ${tx_hash ?? ''}`));
  return receipt.steps.flatMap((step) => [
    row('step', `${step.id}: ${step.effect} (${step.status})`),
    row('  asked', step.call ? callWords(step.call, receipt.chain_id) : 'not said; its digest is above'),
    ...step.claims.map((claim) => row('  told', claimLine(claim))),
  ]);
}

const row = (name: string, words: string): string => `${name.padEnd(11)} ${words}`.trimEnd();

/** From the call itself: what the agent said about it is not in a receipt. */
function callWords(call: Call, chainId: number): string {
  const { kind, to = 'a new contract', value = '0' } = call;
  const coins = `${coinsOf(chainId, BigInt(value))} (${value} wei)`;
  const where = `on chain ${chainId}`;
  if (kind === CallKind.Transfer) return `send ${coins} to ${to} ${where}`;
  if (kind === CallKind.Session) return `start a session of the orchestration ${to} ${where}`;
  if (kind === CallKind.Rule || kind === CallKind.Orchestration)
    return `put an ${kind === CallKind.Rule ? 'XRC-137' : 'XRC-729'} contract in place: ${to}, ${where}`;
  const what = kind === CallKind.Creation ? `create a contract ${where}` : callOf(call, to, where);
  return value === '0' ? what : `${what}, and send ${coins} with it`;
}

function callOf({ data, data_digest }: Call, to: string, where: string): string {
  if (data === undefined) return `call ${to} ${where} with calldata of digest ${data_digest}`;
  const { call, selector = data } = readCalldata({ to, value: 0n, data });
  if (!call) return `call function ${selector} of ${to} ${where} with calldata ${data}`;
  const values = call.arguments.map(({ name, value }) => `${name} ${String(value)}`);
  return `call ${call.name} of ${to} ${where}: ${values.join(', ')}`;
}

function claimLine(claim: Claim): string {
  const { value, carrier = value, account, block, owner, contract } = claim;
  return [
    `${carrier} ${claimWords(claim)}`,
    ...(account === undefined ? [] : [`by ${account}`]),
    ...(owner === undefined || owner === account ? [] : [`owner ${owner}`]),
    ...(contract === undefined ? [] : [`contract ${contract}`]),
    ...(block === undefined ? [] : [`in block ${block}`]),
  ].join(', ');
}

const ASIDE: readonly string[] = [ReasonCode.HashUsed, ReasonCode.TooOld];
const NOTHING: readonly string[] = [ReasonCode.Reverted, ReasonCode.Replaced];

/** What became of one hash: of several, only some count. */
function claimWords({ verification, reason }: Claim): string {
  const why = reason === undefined ? '' : `, ${reason}`;
  if (verification === Verification.Matched) return `(settled as asked${why})`;
  if (reason !== undefined && ASIDE.includes(reason)) return `(set aside${why})`;
  if (reason !== undefined && NOTHING.includes(reason)) return `(came to nothing${why})`;
  return verification === Verification.Mismatched ? `(something else${why})` : `(not settled${why})`;
}
