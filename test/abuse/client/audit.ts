/** Asks a server for everything that the ledger holds. Whatever is missing or differs was lost. */

import { GrpcClient } from '../../kit/grpc-client.js';
import { connectHttp, read } from '../../kit/mcp-clients.js';
import { tokenOf } from '../arena/identities.js';
import { requester } from '../wire/http.js';
import { useTool } from '../wire/mcp.js';
import { Payment } from '../wire/payments.js';
import type { AcknowledgedPayment, AcknowledgedSession, AcknowledgedWork, Ledger } from './ledger.js';

interface Where {
  readonly grpc: string;
  readonly http: string;
}
type Losses = readonly string[];

/** From an address whose limits nobody else uses. */
const AUDITOR_ADDRESS = '127.0.0.3';

export async function lossesIn(ledger: Ledger, where: Where): Promise<Losses> {
  const { sessions, works, payments } = ledger;
  return [
    ...(await sessionLosses(sessions, where)),
    ...(await workLosses(works, where)),
    ...(await paymentLosses(payments, where)),
  ];
}

async function sessionLosses(sessions: readonly AcknowledgedSession[], { grpc }: Where): Promise<Losses> {
  const client = new GrpcClient(grpc);
  const losses: string[] = [];
  for (const { sessionId, owner, messages } of sessions) {
    if (messages.length === 0) continue;
    const history = await client.history(sessionId, tokenOf(owner)).catch(() => []);
    const found = new Map(history.map((one) => [one.messageId, Buffer.from(one.payload).toString('hex')]));
    for (const { id, payload } of messages)
      if (found.get(id) !== payload) losses.push(`message ${id} of session ${sessionId}`);
  }
  client.close();
  return losses;
}

async function workLosses(works: readonly AcknowledgedWork[], { http }: Where): Promise<Losses> {
  const via = requester(AUDITOR_ADDRESS);
  const losses: string[] = [];
  const clients = new Map<string, ReturnType<typeof connectHttp>>();
  for (const { sessionKey, owner, entries, handoff } of works) {
    const client = clients.get(owner) ?? connectHttp(new URL('/mcp', http), tokenOf(owner));
    clients.set(owner, client);
    type Context = { readonly entries: readonly { sequenceNumber: number; content: string }[] };
    const uri = `handoff://context/${encodeURIComponent(sessionKey)}`;
    const context = await read(await client, uri).then(
      (value: Context) => value.entries,
      () => [],
    );
    for (const { sequence, content } of entries)
      if (context.find((one) => one.sequenceNumber === sequence)?.content !== content)
        losses.push(`entry ${sequence} of ${sessionKey}`);
    if (!handoff) continue;
    const asked = { handoffId: handoff.id };
    type Found = { readonly handoff: { readonly phase: string } };
    const phase = await useTool<Found>(http, tokenOf(owner), 'getHandoff', asked, via).then(
      (found) => found.handoff.phase,
      () => 'not found',
    );
    if (!reached(phase, handoff.phase)) losses.push(`handoff ${handoff.id}: ${phase}, was ${handoff.phase}`);
  }
  for (const client of clients.values()) await (await client).close();
  return losses;
}

/** A step whose answer never came may have been taken all the same. */
const PHASES = ['offered', 'accepted', 'committed'];
const reached = (now: string, acknowledged: string): boolean =>
  PHASES.indexOf(now) >= PHASES.indexOf(acknowledged);

async function paymentLosses(payments: readonly AcknowledgedPayment[], { http }: Where): Promise<Losses> {
  const losses: string[] = [];
  for (const [n, made] of payments.entries()) {
    // One address may read only so many pages in a minute.
    const { text, code } = await new Payment(http, made, requester(`127.0.0.${10 + (n % 40)}`)).read();
    if (code !== 'OK' || !text.includes(made.digest)) losses.push(`operation ${made.id}`);
    else if (made.claimed !== undefined && !text.includes(made.claimed)) losses.push(`claim of ${made.id}`);
  }
  return losses;
}
