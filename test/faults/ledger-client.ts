/**
 * A careful client: it keeps a ledger of what it was told, and retries what it was not told with the same message id
 * until there is an answer. Only such a client can check that nothing acknowledged is ever lost.
 */
import { randomUUID } from 'node:crypto';
import type { Envelope } from '@handover/core';
import { accept, commit, context, decline, offer, start } from '../kit/envelopes.js';
import type { GrpcClient } from '../kit/grpc-client.js';

export interface LedgerLine {
  readonly sessionId: string;
  readonly messageId: string;
  readonly payload: string;
  readonly outcome: 'accepted' | 'rejected';
  readonly acceptedAt: number;
  readonly code?: string;
  /** How often the answer did not come. */
  readonly unknowns: number;
  /** The answer to the retry said that the message had been accepted before. */
  readonly wasDuplicate: boolean;
}

export interface Ledger {
  readonly lines: LedgerLine[];
  readonly sessions: Map<string, string[]>;
  unknowns: number;
}

export const newLedger = (): Ledger => ({ lines: [], sessions: new Map(), unknowns: 0 });

/** The messages of one handoff, with a decline and a re-offer now and then, and some that must be refused. */
function script(
  sessionId: string,
  turn: number,
): readonly { readonly envelope: Envelope; readonly refused?: true }[] {
  const first =
    turn % 3 === 0
      ? [{ envelope: offer(sessionId, 'h0', 'b') }, { envelope: decline(sessionId, 'h0', 'b') }]
      : [];
  return [
    { envelope: start(sessionId, 'owner', { ttlMs: 86_400_000 }) },
    ...first,
    { envelope: offer(sessionId, 'h1', 'a') },
    ...Array.from({ length: 4 }, (_, n) => ({
      envelope: context(sessionId, 'h1', `context ${n} ${'x'.repeat(200)}`),
    })),
    { envelope: accept(sessionId, 'h1', 'b'), refused: true as const },
    { envelope: accept(sessionId, 'h1', 'a') },
    { envelope: offer(sessionId, 'h2', 'b'), refused: true as const },
    { envelope: commit(sessionId) },
    { envelope: context(sessionId, 'h1', 'too late'), refused: true as const },
  ];
}

/** Runs handoffs one after another until told to stop; the one under way is finished. */
export async function runClient(
  client: () => GrpcClient,
  ledger: Ledger,
  stopped: () => boolean,
): Promise<void> {
  for (let turn = 0; !stopped(); turn++) {
    const sessionId = randomUUID();
    const accepted: string[] = [];
    ledger.sessions.set(sessionId, accepted);
    for (const { envelope, refused } of script(sessionId, turn)) {
      const line = await sendUntilAnswered(client, envelope, ledger);
      ledger.lines.push(line);
      if (line.outcome === 'accepted') accepted.push(line.messageId);
      const expected = refused ? 'rejected' : 'accepted';
      if (line.outcome !== expected)
        throw new Error(
          `${envelope.messageType} was ${line.outcome} (${line.code ?? ''}), expected ${expected}`,
        );
    }
  }
}

async function sendUntilAnswered(
  client: () => GrpcClient,
  envelope: Envelope,
  ledger: Ledger,
): Promise<LedgerLine> {
  const { sessionId, messageId } = envelope;
  const payload = Buffer.from(envelope.payload).toString('hex');
  for (let unknowns = 0; ; unknowns++) {
    try {
      const ack = await client().send(envelope, envelope.sender, 5_000);
      const code = ack.error?.code;
      // Nothing was stored for certain, and nothing was decided: try again.
      if (code === 'INTERNAL_ERROR' || code === 'RATE_LIMITED') continue;
      const outcome = ack.ok ? 'accepted' : 'rejected';
      const { acceptedAtUnixMs: acceptedAt, duplicate: wasDuplicate } = ack;
      return {
        sessionId,
        messageId,
        payload,
        outcome,
        acceptedAt,
        unknowns,
        wasDuplicate,
        ...(code && { code }),
      };
    } catch {
      ledger.unknowns++;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
