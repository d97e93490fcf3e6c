/** The server streams of the service: one connection each; the watchers put reconnecting on top. */
import type { Envelope } from '@handover/core';
import { decodeMessage, decodeSendRequest, type MessageShape, type MethodKey, methods } from '@handover/wire';
import type { AuthConfig } from '../auth.js';
import { either } from '../transport/either.js';
import { Inbox } from '../transport/inbox.js';
import { decoded, type Transport } from '../transport/transport.js';
import { toLifecycleEvent, toPolicy } from './convert.js';
import type { PoliciesChanged, RegistryChanged, RootsChanged, SessionLifecycleEvent } from './types.js';

/** How to watch. */
export interface WatchOptions {
  /** The credential, in place of the client's. */
  readonly auth?: AuthConfig | undefined;
  /** Ends the iteration when it fires. */
  readonly signal?: AbortSignal | undefined;
}

async function* frames(
  transport: Transport,
  key: MethodKey,
  { auth, signal }: WatchOptions,
): AsyncGenerator<Uint8Array> {
  const ending = either(transport.closed, signal);
  const inbox = new Inbox(transport.serverStream(key, auth), transport.endpoint);
  try {
    while (true) {
      const bytes = await inbox.next(ending);
      if (!bytes) return;
      yield bytes;
    }
  } finally {
    inbox.discard();
  }
}

async function* messages<K extends MethodKey>(
  transport: Transport,
  key: K,
  options: WatchOptions,
): AsyncGenerator<MessageShape<(typeof methods)[K]['output']>> {
  for await (const bytes of frames(transport, key, options))
    yield decoded(decodeMessage(methods[key].output, bytes), key);
}

export async function* watchSessions(
  transport: Transport,
  options: WatchOptions,
): AsyncGenerator<SessionLifecycleEvent, void, void> {
  for await (const { event } of messages(transport, 'watchSessions', options)) {
    const lifecycle = event && toLifecycleEvent(event);
    if (lifecycle) yield lifecycle;
  }
}

export async function* watchPolicies(
  transport: Transport,
  options: WatchOptions,
): AsyncGenerator<PoliciesChanged, void, void> {
  for await (const { descriptors, observedAtUnixMs } of messages(transport, 'watchPolicies', options))
    yield { descriptors: descriptors.map(toPolicy), observedAtUnixMs: Number(observedAtUnixMs) };
}

export async function* watchModeRegistry(
  transport: Transport,
  options: WatchOptions,
): AsyncGenerator<RegistryChanged, void, void> {
  for await (const { change } of messages(transport, 'watchModeRegistry', options))
    if (change) yield { registry: change.registry, observedAtUnixMs: Number(change.observedAtUnixMs) };
}

export async function* watchRoots(
  transport: Transport,
  options: WatchOptions,
): AsyncGenerator<RootsChanged, void, void> {
  for await (const { change } of messages(transport, 'watchRoots', options))
    if (change) yield { observedAtUnixMs: Number(change.observedAtUnixMs) };
}

export async function* watchSignals(
  transport: Transport,
  options: WatchOptions,
): AsyncGenerator<Envelope, void, void> {
  for await (const bytes of frames(transport, 'watchSignals', options)) {
    // WatchSignalsResponse has the shape of SendRequest.
    const envelope = decoded(decodeSendRequest(bytes), 'watchSignals');
    if (envelope !== 'no-envelope') yield envelope;
  }
}
