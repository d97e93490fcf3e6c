/** The five watches. Three ask for no credentials, as existing clients send none, and see the default tenant. */
import { encodeMessage, encodeSendRequest, pb } from '@handover/wire';
import { watchSessions } from '../../../services/macp/watch-sessions.js';
import type { DoorContext } from '../context.js';
import { toLifecycleEvent, toPolicyDescriptor } from '../translate.js';
import { authenticatedWatch, type Frames, openWatch } from '../watch.js';

export function watchMethods(context: DoorContext) {
  const { deps, registries } = context;
  const now = () => BigInt(deps.now());
  return {
    watchSessions: authenticatedWatch(context, pb.WatchSessionsRequestSchema, (principal, signal) =>
      frames(watchSessions(deps, principal, signal), (lifecycle) =>
        encodeMessage(pb.WatchSessionsResponseSchema, { event: toLifecycleEvent(lifecycle) }),
      ),
    ),
    // WatchSignalsResponse and SendRequest are the same bytes: one envelope in field 1.
    watchSignals: authenticatedWatch(context, pb.WatchSignalsRequestSchema, (principal, signal) =>
      frames(deps.signals.listen(principal, signal), encodeSendRequest),
    ),
    watchPolicies: openWatch(context, pb.WatchPoliciesRequestSchema, (signal) =>
      frames(registries.watchPolicies(signal), (policies) =>
        encodeMessage(pb.WatchPoliciesResponseSchema, {
          descriptors: policies.map(toPolicyDescriptor),
          observedAtUnixMs: now(),
        }),
      ),
    ),
    watchModeRegistry: openWatch(context, pb.WatchModeRegistryRequestSchema, (signal) =>
      frames(registries.watchModes(signal), () =>
        encodeMessage(pb.WatchModeRegistryResponseSchema, {
          change: { registry: 'modes', observedAtUnixMs: now() },
        }),
      ),
    ),
    watchRoots: openWatch(context, pb.WatchRootsRequestSchema, (signal) =>
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
