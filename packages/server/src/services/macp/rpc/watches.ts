/** The five watches: each shows its caller what the caller may read. */
import type { PolicyDescriptor } from '@handover/core';
import {
  type DescMessage,
  encodeMessage,
  encodeSignal,
  type MessageInitShape,
  methods,
} from '@handover/wire';
import type { Principal } from '../../../auth/principal.js';
import { LongWork } from '../../../platform/long-work.js';
import type { Listener } from '../../listening/listener.js';
import type { MacpServices } from '../macp-services.js';
import type { SessionLifecycle } from '../session-watch.js';
import type { Signal } from '../signal-bus.js';
import type { WatchKey } from './rpc.js';
import { policyInList, toLifecycleEvent } from './translate.js';

/** Listening, and how each thing that is heard becomes a response. What several hear is one value for all of them. */
export interface WatchRpc<T = unknown> {
  readonly input: DescMessage;
  readonly output: DescMessage;
  open(caller: Principal, listener: Listener, signal: AbortSignal): AsyncGenerator<T>;
  encode(heard: T): Uint8Array;
  /** The same in parts, of which each is one value for as long as it says the same: those that were written need not be again. */
  parts?(heard: T): { readonly items: readonly Uint8Array[]; readonly rest: Uint8Array };
}

export type WatchRpcs = Readonly<Record<WatchKey, WatchRpc>>;

interface Method<O extends DescMessage> {
  readonly input: DescMessage;
  readonly output: O;
}

function watch<T, O extends DescMessage>(
  { input, output }: Method<O>,
  open: WatchRpc<T>['open'],
  message: (heard: T) => MessageInitShape<O>,
): WatchRpc<T> {
  return { input, output, open, encode: (heard) => encodeMessage(output, message(heard)) };
}

export function watchRpcs({ deps, watches }: MacpServices): WatchRpcs {
  const now = () => BigInt(deps.now());
  return {
    watchSessions: watch(
      methods.watchSessions,
      (caller, listener, signal) => watches.sessions(caller, listener, signal),
      (heard: SessionLifecycle) => ({ event: toLifecycleEvent(heard) }),
    ),
    watchSignals: {
      ...methods.watchSignals,
      open: (caller, listener, signal) => deps.signals.listen(caller, listener, signal),
      encode: encodeSignal,
    } satisfies WatchRpc<Signal>,
    watchPolicies: {
      ...methods.watchPolicies,
      open: (caller, listener, signal) => warmed(watches.policies(caller, listener, signal)),
      encode: (heard) => Buffer.concat([...heard.map(policyInList), observedPolicies(now())]),
      parts: (heard) => ({ items: heard.map(policyInList), rest: observedPolicies(now()) }),
    } satisfies WatchRpc<readonly PolicyDescriptor[]>,
    watchModeRegistry: watch(
      methods.watchModeRegistry,
      (caller, listener, signal) => watches.modes(caller, listener, signal),
      () => ({ change: { registry: 'modes', observedAtUnixMs: now() } }),
    ),
    watchRoots: watch(
      methods.watchRoots,
      (_caller, _listener, signal) => once(signal),
      () => ({ change: { observedAtUnixMs: now() } }),
    ),
  };
}

const observedPolicies = (observedAtUnixMs: bigint): Uint8Array =>
  encodeMessage(methods.watchPolicies.output, { observedAtUnixMs });

/** Policies that nobody has written yet are written in slices, before anybody needs all of them at once. */
async function* warmed(
  lists: AsyncGenerator<readonly PolicyDescriptor[]>,
): AsyncGenerator<readonly PolicyDescriptor[]> {
  const work = new LongWork();
  for await (const list of lists) {
    for (const policy of list) await work.did(policyInList(policy).length);
    yield list;
  }
}

/** Yields once and then waits until the caller leaves, because roots never change here. */
async function* once(signal: AbortSignal): AsyncGenerator<undefined> {
  yield undefined;
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
