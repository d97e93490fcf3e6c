/**
 * The calls inside a transaction, where the RPC traces them. One that does not is asked again after a while only: many
 * providers refuse the method for good, and some give it to those who pay.
 */
import { performance } from 'node:perf_hooks';
import type { CallFrame } from '@handover/evm';
import { fixedLimits } from '../config/fixed-limits.js';
import type { Ask } from './chain-client.js';
import { ChainErrored, ChainRefused, ChainTooLarge, ChainUnavailable, type Hex } from './port.js';
import { readTrace } from './rpc-answers.js';

export interface TraceSupport {
  /** Undefined: the RPC cannot say. */
  trace(ask: Ask, hash: Hex): Promise<CallFrame | undefined>;
  /** Whether the RPC knows the method at all; undefined: it does not answer now. */
  probe(ask: Ask): Promise<boolean | undefined>;
}

const NO_HASH: Hex = `0x${'0'.repeat(64)}`;
/** A node stops by itself before the server would give up. */
const OPTIONS = { tracer: 'callTracer', timeout: '5s' };
/** How providers refuse a method: invalid request, or not supported (EIP-1474). */
const REFUSALS: readonly (number | undefined)[] = [-32_600, -32_004];

export function traceSupport(now: () => number = () => performance.now()): TraceSupport {
  let known: { readonly can: boolean; readonly until: number } | undefined;
  const learned = (can: boolean) => {
    known = { can, until: now() + fixedLimits.chainTraceMemoryMs.value };
  };
  const remembered = () => (known && now() < known.until ? known.can : undefined);
  const ask = (node: Ask, hash: Hex) => node('debug_traceTransaction', [hash, OPTIONS]);
  return {
    async trace(node, hash) {
      if (remembered() === false) return undefined;
      try {
        const frame = readTrace(await ask(node, hash));
        learned(true);
        return frame;
      } catch (failure) {
        if (isRefusal(failure)) learned(false);
        // This one transaction cannot be traced: it is too large, too old, or takes too long.
        else if (!(failure instanceof ChainErrored || failure instanceof ChainTooLarge)) throw failure;
        return undefined;
      }
    },
    async probe(node) {
      const before = remembered();
      if (before !== undefined) return before;
      try {
        await ask(node, NO_HASH);
        learned(true);
      } catch (failure) {
        if (isRefusal(failure)) learned(false);
        // It knows the method, and no such transaction.
        else if (failure instanceof ChainErrored) learned(true);
        else if (!(failure instanceof ChainUnavailable)) throw failure;
      }
      return remembered();
    },
  };
}

const isRefusal = (failure: unknown): boolean =>
  failure instanceof ChainRefused || (failure instanceof ChainErrored && REFUSALS.includes(failure.code));
