/** Which transaction a Safe has carried out under a number, where the log and its arguments tell. */
import { readExecTransaction, safeTxHash } from '@handover/evm';
import type { ChainClient, Hex } from '../../../chain/port.js';
import { fixedLimits } from '../../../config/fixed-limits.js';
import { type CarriedExecution, scanExecutions } from './executions.js';

/** Undefined: it cannot be told, since somebody else called the Safe, or the log is not given so far back. */
export async function carriedInstead(
  client: ChainClient,
  safe: Hex,
  entryPoints: readonly string[],
  nonce: number,
  since: number,
): Promise<Hex | undefined> {
  const head = await client.blockNumber();
  const { found } = await scanExecutions(client, safe, entryPoints, since + 1, head);
  for (const one of found.filter(({ kind }) => kind === 'safe').slice(0, fixedLimits.safeNonces.value))
    if (await hasNumber(client, safe, nonce, one)) return one.carrier;
  return undefined;
}

async function hasNumber(
  client: ChainClient,
  safe: Hex,
  nonce: number,
  { carrier, value }: CarriedExecution,
): Promise<boolean> {
  const transaction = await client.getTransaction(carrier);
  const call = transaction?.to === safe ? readExecTransaction(transaction.data) : undefined;
  return call !== undefined && safeTxHash(client.chainId, safe, call, nonce) === value;
}
