/** validate_xgr_session_start_handoff: what a create for source direct would say of a request, and nothing is made. */
import { type Findings, type Issue, type JsonObject, ReasonCode } from '@handover/core';
import { validateSessionStart } from '@handover/evm';
import type { Principal } from '../../../../auth/principal.js';
import { quietly } from '../../chain-documents.js';
import { patienceOf } from '../../chain-patience.js';
import type { OperationDependencies } from '../../dependencies.js';
import { NOT_READ, warn } from './warnings.js';

export async function checkSessionStart(
  deps: Pick<OperationDependencies, 'chains' | 'chainTroubles'>,
  principal: Principal,
  request: JsonObject,
  chainId?: number,
): Promise<Findings> {
  const findings = validateSessionStart(request);
  const ofChain = await chainWarnings(deps, principal, chainId);
  return { ...findings, warnings: [...findings.warnings, ...ofChain] };
}

async function chainWarnings(
  { chains, chainTroubles }: Pick<OperationDependencies, 'chains' | 'chainTroubles'>,
  principal: Principal,
  asked: number | undefined,
): Promise<readonly Issue[]> {
  const patience = patienceOf(principal);
  const client = await quietly(
    asked === undefined ? chains.defaultChain(patience) : chains.chain(asked, patience),
  );
  if (!client) return [asked === undefined ? NO_CHAIN : NOT_READ];
  const trouble = chainTroubles.of(client.chainId);
  if (!trouble) return [];
  return [trouble.code === ReasonCode.RpcWrongChain ? DIFFERS : SILENT];
}

const NO_CHAIN = warn(
  'CHAIN_NOT_READ',
  'no chainId is given, and no RPC says which chain is meant: create needs chainId, and reads nothing from a chain without an RPC',
);
const SILENT = warn(
  'CHAIN_SILENT',
  'the RPC of this chain does not answer now: create is refused until it does',
);
const DIFFERS = warn(
  'CHAIN_DIFFERS',
  'the RPC that is set for this chain serves another one: create is refused until the operator has mended that',
);
