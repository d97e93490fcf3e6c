/** Envelopes of any built-in mode. */
import { type Envelope, type ModeName, type PayloadsIn, payloadKind } from '@handover/core';
import { nodeCodec } from '../../packages/server/src/platform/node-codec.js';
import { envelopeOf, startPayload } from './envelopes.js';

/** Says things in one mode: the session, who says it, the type, the payload. */
export const sayIn =
  <M extends ModeName>(mode: M) =>
  <T extends keyof PayloadsIn<M> & string>(
    sessionId: string,
    sender: string,
    type: T,
    payload: PayloadsIn<M>[T],
  ): Envelope =>
    envelopeOf(sessionId, sender, type, nodeCodec.encode(payloadKind(mode, type), payload), { mode });

export const startIn = (mode: ModeName, sessionId: string, owner: string, participants: readonly string[]) =>
  envelopeOf(
    sessionId,
    owner,
    'SessionStart',
    nodeCodec.encode(
      payloadKind(mode, 'SessionStart'),
      startPayload({ participants: [...participants], ttlMs: 86_400_000 }),
    ),
    { mode },
  );
