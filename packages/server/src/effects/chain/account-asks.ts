/**
 * The asks of all requests that name an account, oldest first. An account in an ask is only said by a page, so anybody can
 * name somebody's account in many asks: a bounded number of them is read.
 */
import { type AskState, streamKey } from '@handover/core';
import { fixedLimits } from '../../config/fixed-limits.js';
import { type OperationRecord, readRecord } from '../../services/operations/record.js';
import type { JudgeParts } from './judge-parts.js';

export interface AccountAskRead {
  readonly other: OperationRecord;
  readonly made: AskState;
}

export async function* accountAsks(
  { deps, client, asks }: JudgeParts,
  account: string,
): AsyncGenerator<AccountAskRead> {
  for (const { ref, ask } of asks
    .byAccount(client.chainId, account)
    .slice(0, fixedLimits.comparedAsks.value)) {
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
): AsyncGenerator<AccountAskRead> {
  const own = streamKey(ref);
  for await (const one of accountAsks(parts, account)) if (streamKey(one.other.ref) !== own) yield one;
}
