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
import type { Listener } from '../../listening/listener.js';
import type { MacpServices } from '../macp-services.js';
import type { SessionLifecycle } from '../session-watch.js';
import type { Signal } from '../signal-bus.js';
import type { WatchKey } from './rpc.js';
import { toLifecycleEvent, toPolicyDescriptor } from './translate.js';

/** Listening, and how each thing that is heard becomes a response. What several hear is one value for all of them. */
export interface WatchRpc<T = unknown> {
  readonly input: DescMessage;
  readonly output: DescMessage;
  open(caller: Principal, listener: Listener, signal: AbortSignal): AsyncGenerator<T>;
  encode(heard: T): Uint8Array;
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
    watchPolicies: watch(
      methods.watchPolicies,
      (caller, listener, signal) => watches.policies(caller, listener, signal),
      (heard: readonly PolicyDescriptor[]) => ({
        descriptors: heard.map(toPolicyDescriptor),
        observedAtUnixMs: now(),
      }),
    ),
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

/** Yields once and then waits until the caller leaves, because roots never change here. */
async function* once(signal: AbortSignal): AsyncGenerator<undefined> {
  yield undefined;
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
