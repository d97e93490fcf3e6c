/** Starts one session: asks the node for the facts, gets the signature, then starts. docs/spec/operations.md 6.9 */
import { type PermitFacts, permitTypedData, Selector, textCall, wirePermit } from '@handover/evm';
import type { ChainInfo } from '../model/chain-info.js';
import type { SessionRequest } from '../model/record.js';
import type { Provider } from '../wallet/provider.js';
import { chainNumber } from '../wallet/wallet-calls.js';
import { OwnError } from '../wallet/wallet-error.js';
import { type Rpc, RpcRefused } from './public-rpc.js';

const HASH = /^0x[0-9a-fA-F]{64}/;
const NO_HASH = `0x${'0'.repeat(64)}`;
const PERMIT_SECONDS = 1_200;

/** Collects everything that will be signed, before the wallet is asked. Only reads from the node. */
export async function permitFacts(
  rpc: Rpc,
  session: SessionRequest,
  from: string,
  chain: ChainInfo,
): Promise<PermitFacts> {
  const core = await rpc('xgr_getCoreAddrs', []);
  const served =
    core !== null && typeof core === 'object' && 'chainId' in core ? chainNumber(core.chainId) : undefined;
  if (served !== chain.chainId) throw new OwnError(`The node serves another chain (${served ?? 'unknown'}).`);
  const next = await rpc('xgr_getNextProcessId', [{ from }]);
  const sessionId =
    next !== null && typeof next === 'object' && 'nextProcessId' in next ? next.nextProcessId : undefined;
  if (typeof sessionId !== 'string' || !/^\d+$/.test(sessionId))
    throw new OwnError('The node gave no session id.');
  return {
    from,
    ostcId: session.ostcId,
    ostcHash: session.ostcHash ?? (await storedHash(rpc, session)),
    sessionId,
    maxTotalGas: session.maxTotalGas,
    expiry: session.expiry ?? Math.floor(Date.now() / 1_000) + PERMIT_SECONDS,
  };
}

/** The hash of the process as the contract gives it; all zeros if the contract gives none. */
async function storedHash(rpc: Rpc, { orchestration, ostcId }: SessionRequest): Promise<string> {
  const call = { to: orchestration, data: textCall(Selector.getOstcMeta, ostcId) };
  const answer = await rpc('eth_call', [call, 'latest']).catch((thrown: unknown) => {
    if (thrown instanceof RpcRefused) return undefined;
    throw thrown;
  });
  return typeof answer === 'string' && HASH.test(answer) ? answer.slice(0, 66) : NO_HASH;
}

export async function signPermit(provider: Provider, facts: PermitFacts, chain: ChainInfo): Promise<string> {
  const params = [facts.from, JSON.stringify(permitTypedData(facts, chain))];
  const signature = await provider.request({ method: 'eth_signTypedData_v4', params });
  if (typeof signature !== 'string' || !/^0x[0-9a-fA-F]{130}$/.test(signature))
    throw new OwnError('The wallet did not answer with a signature.');
  return signature;
}

export async function submitSession(
  rpc: Rpc,
  { stepId, payload, orchestration }: SessionRequest,
  facts: PermitFacts,
  signature: string,
  chain: ChainInfo,
): Promise<void> {
  const permit = wirePermit(facts, signature, chain);
  await rpc('xgr_validateDataTransfer', [{ stepId, payload, orchestration, permit }]);
}

/** Whether a session with that id exists; asked after an answer got lost. */
export async function hasStarted(rpc: Rpc, owner: string, sessionId: string): Promise<boolean> {
  if ((await rpc('xgr_sessionAlive', [owner, sessionId])) === true) return true;
  const executed = await rpc('xgr_stepExecuted', [owner, sessionId, 1]).catch(() => null);
  return executed !== null;
}
