/** JSON-RPC through a gate: every question is asked in somebody's name and within their patience. */
import { performance } from 'node:perf_hooks';
import { type AskOutcome, type Caller, ChainGate, GATE_LIMITS, type GateLimits } from './gate.js';
import { createJsonRpc, RPC_LIMITS, type RpcLimits } from './json-rpc.js';
import type { ReadMethod } from './methods.js';
import type { Patience } from './port.js';

export interface GatedRpc {
  readonly gate: ChainGate;
  /** Somebody who asks. Their patience begins now, and all their questions share it. */
  caller(patience?: Patience): Caller;
  ask(caller: Caller, method: ReadMethod, params: readonly unknown[]): Promise<unknown>;
}

export interface ReaderOptions {
  readonly rpc?: RpcLimits;
  readonly gate?: GateLimits;
  /** Milliseconds from a clock that never goes back. */
  readonly now?: () => number;
}

/** Of callers that name none: everything that the RPC's own time limit allows, and the wait for a turn. */
const NOBODY = '';
const PATIENT_MS = 60_000;

export function createGatedRpc(
  url: URL,
  { rpc: limits = RPC_LIMITS, gate: gateLimits = GATE_LIMITS, now = () => performance.now() }: ReaderOptions,
  asked: (outcome: AskOutcome, seconds: number) => void,
): GatedRpc {
  const rpc = createJsonRpc(url, limits);
  const probe = () => rpc.ask('eth_chainId', []);
  const gate = new ChainGate({ limits: gateLimits, probe, now, asked });
  return {
    gate,
    caller: ({ asker, withinMs } = { asker: NOBODY, withinMs: PATIENT_MS }) => ({
      asker,
      until: now() + withinMs,
    }),
    ask: (caller, method, params) => gate.ask(caller, () => rpc.ask(method, params)),
  };
}
