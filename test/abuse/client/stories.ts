/**
 * What real clients do, call by call: a handoff over gRPC, one between assistants over MCP, and an operation with its
 * page. Each call is timed, and what is acknowledged goes into the ledger. A story ends at the first call that fails.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Envelope } from '@handover/core';
import { accept, commit, context, offer, start } from '../../kit/envelopes.js';
import { GrpcClient } from '../../kit/grpc-client.js';
import { WORKING_CHAIN } from '../arena/chain-nodes.js';
import { HELPERS, OWNERS, tokenOf } from '../arena/identities.js';
import { requester } from '../wire/http.js';
import { useTool } from '../wire/mcp.js';
import { Payment } from '../wire/payments.js';
import { CallClock } from './clock.js';
import { newLedger } from './ledger.js';

const OWN_ADDRESS = '127.0.0.1';
const DEADLINE_MS = 30_000;
const POLL_MS = 500;
const VERIFIED_WITHIN_MS = 90_000;

export class Stories {
  readonly clock = new CallClock();
  readonly ledger = newLedger();
  readonly #http: string;
  readonly #grpc: GrpcClient;
  readonly #ask = requester(OWN_ADDRESS);

  constructor({ grpc, http }: { readonly grpc: string; readonly http: string }) {
    this.#http = http;
    this.#grpc = new GrpcClient(grpc);
  }

  /** `turn` chooses the agents, so that each stays below its limits. */
  async handoff(turn: number): Promise<void> {
    const [owner, helper] = pair(turn);
    const sessionId = randomUUID();
    const acknowledged = { sessionId, owner, messages: [] as { id: string; payload: string }[] };
    this.ledger.sessions.push(acknowledged);
    for (const envelope of [
      start(sessionId, owner, { participants: [owner, helper], ttlMs: 3_600_000 }),
      offer(sessionId, 'h1', helper, owner),
      context(sessionId, 'h1', `first ${'x'.repeat(500)}`, owner),
      context(sessionId, 'h1', `second ${'y'.repeat(2_000)}`, owner),
      accept(sessionId, 'h1', helper),
      commit(sessionId, owner),
    ]) {
      await this.clock.timed(envelope.messageType, () => this.#send(envelope));
      acknowledged.messages.push({
        id: envelope.messageId,
        payload: Buffer.from(envelope.payload).toString('hex'),
      });
    }
  }

  async assistants(turn: number): Promise<void> {
    const [owner, helper] = pair(turn);
    const sessionKey = `work-${randomUUID()}`;
    const work = { sessionKey, owner, entries: [] as { sequence: number; content: string }[] };
    await this.#tool(owner, 'registerSession', { sessionKey, agentFrom: owner });
    this.ledger.works.push(work);
    for (const content of ['what is done', `what is open ${'z'.repeat(1_000)}`]) {
      type Updated = { readonly contextEntry: { readonly sequenceNumber: number } };
      const note = { sessionKey, contextType: 'message', content };
      const { contextEntry } = await this.#tool<Updated>(owner, 'updateContext', note);
      work.entries.push({ sequence: contextEntry.sequenceNumber, content });
    }
    const asked = { sessionKey, targetAgent: helper, requestType: 'full_handoff' };
    const { handoffId } = await this.#moved(work, owner, 'requestHandoff', asked);
    await this.#moved(work, helper, 'acceptHandoff', { handoffId });
    await this.#moved(work, owner, 'commitHandoff', { handoffId });
  }

  async payment(turn: number): Promise<void> {
    const [owner] = pair(turn);
    const payment = await this.clock.timed('create operation', () =>
      Payment.create(this.#http, tokenOf(owner), WORKING_CHAIN, {}, this.#ask),
    );
    const { id, secret, digest } = payment;
    const acknowledged: (typeof this.ledger.payments)[number] = { id, secret, digest };
    this.ledger.payments.push(acknowledged);
    await this.clock.timed('read page', () => succeeded(payment.read()));
    const txHash = `0x${randomBytes(32).toString('hex')}`;
    await this.clock.timed('claim', () => succeeded(payment.claim(txHash)));
    acknowledged.claimed = txHash;
    await this.clock.timed('verified', () => this.#verified(payment));
  }

  async #verified(payment: Payment): Promise<void> {
    const deadline = performance.now() + VERIFIED_WITHIN_MS;
    while ((await payment.verification()) !== 'matched') {
      if (performance.now() > deadline) throw new Error('NOT_VERIFIED');
      await sleep(POLL_MS);
    }
  }

  async #send(envelope: Envelope): Promise<void> {
    const { ok, error } = await this.#grpc.send(envelope, tokenOf(envelope.sender), DEADLINE_MS);
    if (!ok) throw Object.assign(new Error(error?.message), { code: error?.code });
  }

  #tool<T>(agent: string, name: string, args: object): Promise<T> {
    return this.clock.timed(name, () => useTool<T>(this.#http, tokenOf(agent), name, args, this.#ask));
  }

  async #moved(work: (typeof this.ledger.works)[number], agent: string, name: string, args: object) {
    type Moved = { readonly handoffId: string; readonly handoff: { readonly phase: string } };
    const moved = await this.#tool<Moved>(agent, name, args);
    work.handoff = { id: moved.handoffId, phase: moved.handoff.phase };
    return moved;
  }
}

function pair(turn: number): readonly [owner: string, helper: string] {
  return [OWNERS[turn % OWNERS.length] ?? '', HELPERS[turn % HELPERS.length] ?? ''];
}

async function succeeded(answer: Promise<{ readonly code: string }>): Promise<void> {
  const { code } = await answer;
  if (code !== 'OK') throw Object.assign(new Error(code), { code });
}
