/**
 * Whether an account is a Safe that behaves as its source says. Anybody can bring a contract that writes the lines of a
 * Safe and does nothing else, so a line counts only if the code behind it is known.
 */
import { isKnownSafe } from '@handover/evm';
import { type ChainClient, ChainErrored, ChainRefused, type Hex } from '../../../chain/port.js';

/** At each of these blocks. A node that has forgotten how it was then cannot show it. */
export async function isSafeAt(
  client: ChainClient,
  account: Hex,
  singletons: readonly string[],
  blocks: readonly number[],
): Promise<boolean> {
  try {
    for (const block of blocks) if (!(await isSafe(client, account, singletons, block))) return false;
    return true;
  } catch (failure) {
    if (failure instanceof ChainErrored || failure instanceof ChainRefused) return false;
    throw failure;
  }
}

async function isSafe(
  client: ChainClient,
  account: Hex,
  singletons: readonly string[],
  block: number,
): Promise<boolean> {
  const code = await client.code(account, block);
  const singleton: Hex = `0x${(await client.storage(account, 0, block)).slice(26)}`;
  const singletonCode = await client.code(singleton, block);
  return isKnownSafe({ code, singleton, singletonCode }, singletons);
}
