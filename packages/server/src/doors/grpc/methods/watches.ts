/** The five watches: each shows its caller what the caller may read. */
import type { PolicyDescriptor } from '@handover/core';
import { encodeMessage, encodeSignal, pb } from '@handover/wire';
import type { SessionLifecycle } from '../../../services/macp/session-watch.js';
import type { Signal } from '../../../services/macp/signal-bus.js';
import type { DoorContext } from '../context.js';
import { encodeOnce } from '../encode-once.js';
import { toLifecycleEvent, toPolicyDescriptor } from '../translate.js';
import { type Frames, watchMethod } from '../watch.js';

export function watchMethods(context: DoorContext) {
  const { deps, watches } = context;
  const now = () => BigInt(deps.now());
  const encodeLifecycle = encodeOnce((lifecycle: SessionLifecycle) =>
    encodeMessage(pb.WatchSessionsResponseSchema, { event: toLifecycleEvent(lifecycle) }),
  );
  const encodeHeard = encodeOnce<Signal>(encodeSignal);
  const encodePolicies = encodeOnce((policies: readonly PolicyDescriptor[]) =>
    encodeMessage(pb.WatchPoliciesResponseSchema, {
      descriptors: policies.map(toPolicyDescriptor),
      observedAtUnixMs: now(),
    }),
  );
  return {
    watchSessions: watchMethod(context, pb.WatchSessionsRequestSchema, ({ principal, listener }, signal) =>
      frames(watches.sessions(principal, listener, signal), encodeLifecycle),
    ),
    watchSignals: watchMethod(context, pb.WatchSignalsRequestSchema, ({ principal, listener }, signal) =>
      frames(deps.signals.listen(principal, listener, signal), encodeHeard),
    ),
    watchPolicies: watchMethod(context, pb.WatchPoliciesRequestSchema, ({ principal, listener }, signal) =>
      frames(watches.policies(principal, listener, signal), encodePolicies),
    ),
    watchModeRegistry: watchMethod(
      context,
      pb.WatchModeRegistryRequestSchema,
      ({ principal, listener }, signal) =>
        frames(watches.modes(principal, listener, signal), () =>
          encodeMessage(pb.WatchModeRegistryResponseSchema, {
            change: { registry: 'modes', observedAtUnixMs: now() },
          }),
        ),
    ),
    watchRoots: watchMethod(context, pb.WatchRootsRequestSchema, (_, signal) =>
      frames(once(signal), () =>
        encodeMessage(pb.WatchRootsResponseSchema, { change: { observedAtUnixMs: now() } }),
      ),
    ),
  };
}

async function* frames<T>(items: AsyncGenerator<T>, encode: (item: T) => Uint8Array): Frames {
  for await (const item of items) yield encode(item);
}

/** Yields once and then waits until the caller leaves, because roots never change here. */
async function* once(signal: AbortSignal): AsyncGenerator<undefined> {
  yield undefined;
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}
