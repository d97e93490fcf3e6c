/** Who may start: owner or executor of the orchestration, read from the contract itself. */
import type { JsonObject } from '@handover/core';
import { isAddress } from '@handover/evm';
import type { ChainClient, Hex } from '../../../../chain/port.js';
import { readAuthority, type XrcAuthority } from '../../../../chain/read-xrc.js';

export async function authorityFor(
  client: ChainClient | undefined,
  orchestrations: readonly string[],
  signer: string | undefined,
): Promise<JsonObject> {
  if (!client) return judge({ executorWildcard: false, authorityStatus: 'unavailable' }, signer);
  const found: JsonObject[] = [];
  for (const address of [...new Set(orchestrations.map((one) => one.toLowerCase()))].filter(isAddress))
    found.push(judge(await readAuthority(client, address as Hex), signer));
  // A queue can start only if every orchestration in it can, so one that cannot is shown first.
  return found.find(({ canStart }) => canStart === false) ?? found[0] ?? {};
}

function judge({ owner, executors, executorWildcard }: XrcAuthority, signer: string | undefined): JsonObject {
  const known = {
    requiredRole: 'owner_or_executor',
    ...(owner !== undefined && { owner }),
    ...(executors && { executors: [...executors] }),
    executorWildcard,
    ...(signer !== undefined && { expectedSigner: signer }),
  };
  const say = (authorityStatus: string, canStart: boolean, reason?: string): JsonObject => ({
    ...known,
    authorityStatus,
    canStart,
    ...(reason !== undefined && { reason }),
  });
  if (signer !== undefined && signer === owner) return say('owner_verified', true);
  if (signer !== undefined && executors?.includes(signer)) return say('executor_verified', true);
  if (executorWildcard) return say('wildcard_executor', true);
  if (owner === undefined && !executors)
    return say('authority_unavailable', false, 'neither owner nor executors could be read');
  if (signer === undefined) return say('not_checked', false, 'no expected signer was given');
  if (owner !== undefined && executors)
    return say('signer_not_authorized', false, 'the expected signer is neither owner nor executor');
  // Without a readable list of executors, only the owner may start.
  return owner === undefined
    ? say('authority_unavailable', false, 'the owner could not be read')
    : say('signer_not_authorized', false, 'the expected signer is not the owner');
}
