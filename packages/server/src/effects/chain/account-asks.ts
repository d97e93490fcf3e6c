/**
 * The asks of all requests that name an account, those first that were answered with one of the names of what was found.
 * An account in an ask is only said by a page, so anybody can name somebody's account in many asks: a bounded number of
 * them is read, and the creators of the requests take turns, so that nobody's asks keep those of another from being read.
 */
import { type AskState, streamKey } from '@handover/core';
import { fixedLimits } from '../../config/fixed-limits.js';
import { Turns } from '../../platform/turns.js';
import { type OperationRecord, readRecord } from '../../services/operations/record.js';
import type { JudgeParts } from './judge-parts.js';
import type { AccountAsk } from './open-asks.js';

export interface AccountAskRead {
  readonly other: OperationRecord;
  readonly made: AskState;
}

export async function* accountAsks(
  { deps, client, asks }: JudgeParts,
  account: string,
  names: readonly (string | undefined)[],
): AsyncGenerator<AccountAskRead> {
  for (const { ref, ask } of comparedOf(asks.byAccount(client.chainId, account), names)) {
    const other = await readRecord(deps, ref);
    const made = other?.state.asks.find(({ id }) => id === ask);
    if (other && made) yield { other, made };
  }
}

/** Those of other requests than this one. */
export async function* asksOfOthers(
  parts: JudgeParts,
  { ref }: OperationRecord,
  account: string,
  names: readonly (string | undefined)[] = [],
): AsyncGenerator<AccountAskRead> {
  const own = streamKey(ref);
  for await (const one of accountAsks(parts, account, names)) if (streamKey(one.other.ref) !== own) yield one;
}

/** Those with the best right first: who told it, and when; then those that wait, and the oldest. */
export function comparedOf(
  all: readonly AccountAsk[],
  names: readonly (string | undefined)[],
): readonly AccountAsk[] {
  const told = all
    .flatMap((ask) => {
      const at = ask.told.filter(({ name }) => names.includes(name)).map((one) => one.at);
      return at.length > 0 ? [{ ask, at: Math.min(...at) }] : [];
    })
    .sort((a, b) => a.at - b.at)
    .map(({ ask }) => ask);
  const isFirst = new Set(told);
  const rest = all
    .filter((ask) => !isFirst.has(ask))
    .sort((a, b) => a.rank - b.rank || a.at - b.at || (a.ask < b.ask ? -1 : 1));
  return [...inTurns(told), ...inTurns(rest)].slice(0, fixedLimits.comparedAsks.value);
}

function inTurns(asks: readonly AccountAsk[]): readonly AccountAsk[] {
  const { comparedAsks, comparedAsksOfOne } = fixedLimits;
  const turns = new Turns<AccountAsk>();
  for (const ask of asks) if (turns.of(ask.creator) < comparedAsksOfOne.value) turns.add(ask.creator, ask);
  const taken: AccountAsk[] = [];
  for (let ask = turns.take(); ask && taken.length < comparedAsks.value; ask = turns.take()) taken.push(ask);
  return taken;
}
