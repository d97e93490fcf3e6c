/**
 * An on-call rotation over a week: each engineer hands over to the next, with the open incidents as context. The two sides
 * are separate clients, as they would be separate programs; each learns of the other through the runtime alone.
 */
import assert from 'node:assert/strict';
import { Auth, HandoffSession, MacpClient } from 'macp-sdk-typescript';

const address = process.env.HANDOVER_ADDRESS ?? '127.0.0.1:50051';
const rota = ['ana', 'ben', 'chris'];

interface Shift {
  readonly incidents: readonly string[];
  readonly runbook: string;
}

/** The incoming engineer: waits for the offer and its context, reads it, accepts. */
async function takeOver(engineer: string, sessionId: string): Promise<Shift> {
  const client = new MacpClient({ address, auth: Auth.devAgent(engineer) });
  const session = new HandoffSession(client, { sessionId });
  for await (const { envelope } of session.follow()) {
    if (envelope.messageType !== 'HandoffContext') continue;
    const [context] = session.projection.contexts.get('shift') ?? [];
    assert.ok(context);
    await session.acceptHandoff({ handoffId: 'shift', reason: 'read the notes' });
    client.close();
    return JSON.parse(Buffer.from(context.context).toString()) as Shift;
  }
  throw new Error('the session was never offered');
}

/** The outgoing engineer: offers, explains, waits for the answer, commits. */
async function handOver(from: string, to: string, shift: Shift): Promise<Shift> {
  const client = new MacpClient({ address, auth: Auth.devAgent(from) });
  const session = new HandoffSession(client);
  await session.start({ intent: `on-call from ${from} to ${to}`, participants: [to], ttlMs: 60_000 });
  const taken = takeOver(to, session.sessionId);
  await session.offer({
    handoffId: 'shift',
    targetParticipant: to,
    scope: 'on-call',
    reason: 'weekly rotation',
  });
  await session.sendContext({
    handoffId: 'shift',
    contentType: 'application/json',
    context: Buffer.from(JSON.stringify(shift)),
  });
  for await (const _ of session.follow()) if (session.projection.isAccepted('shift')) break;
  await session.commit();
  client.close();
  return taken;
}

let shift: Shift = { incidents: ['INC-1: slow checkout'], runbook: 'https://wiki.example/checkout' };
for (const [index, from] of rota.slice(0, -1).entries()) {
  const to = rota[index + 1] ?? '';
  const received = await handOver(from, to, shift);
  assert.deepEqual(received, shift);
  shift = { ...received, incidents: [...received.incidents, `INC-${index + 2}: found by ${to}`] };
  console.log(`${from} -> ${to}: ${received.incidents.length} open incident(s) handed over`);
}
assert.equal(shift.incidents.length, 3);
