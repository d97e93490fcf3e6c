/**
 * A refusal over gRPC is no longer than what a client takes of headers, whatever it is about: a client that gets more loses its connection
 * and every call on it. Both ways in which it was: the text of a status that quotes the request, and details that name everybody.
 */
import { randomUUID } from 'node:crypto';
import { Client, credentials, Metadata, type StatusObject } from '@grpc/grpc-js';
import { decodeAckResponse, encodeMessage, encodeSendRequest, methods, pb } from '@handover/wire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../conformance/verifies.js';
import { envelopeOf, startPayload } from '../kit/envelopes.js';
import { sayIn, startIn } from '../kit/mode-envelopes.js';
import { openDoors } from './support/doors.js';

const DECISION = 'macp.mode.decision.v1';
/** What Node's client takes of headers is 16 KiB; others take half of that. */
const ENOUGH = 4_096;

let doors: Awaited<ReturnType<typeof openDoors>>;
beforeAll(async () => {
  doors = await openDoors({ env: { MACP_MESSAGE_LIMIT_PER_MINUTE: '100000' } });
});
afterAll(() => doors.close());

interface Answered {
  readonly bytes: Uint8Array | undefined;
  readonly status: StatusObject;
}

/** One call, with its trailers. */
function ask(client: Client, key: 'send' | 'whatIfReplay', bytes: Uint8Array, as: string): Promise<Answered> {
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${as}`);
  return new Promise((resolve) => {
    let answer: Uint8Array | undefined;
    const call = client.makeUnaryRequest(
      methods[key].path,
      (request: Uint8Array) => Buffer.from(request),
      (answered: Buffer): Uint8Array => answered,
      bytes,
      metadata,
      { deadline: Date.now() + 20_000 },
      (_, answered) => {
        answer = answered;
      },
    );
    call.on('status', (status: StatusObject) => setImmediate(() => resolve({ bytes: answer, status })));
  });
}

function trailerBytes({ details, metadata }: StatusObject): number {
  const all = Object.entries(metadata.getMap()).map(([name, value]) =>
    Buffer.isBuffer(value) ? name.length + (value.length * 4) / 3 : name.length + value.length,
  );
  return all.reduce((sum, size) => sum + size, encodeURI(details).length);
}

/** Over one connection, which must be there afterwards. */
async function overOne(run: (client: Client) => Promise<Answered>): Promise<Answered> {
  const client = new Client(`127.0.0.1:${doors.grpcPort}`, credentials.createInsecure(), {
    'grpc.use_local_subchannel_pool': 1,
  });
  try {
    return await run(client);
  } finally {
    client.close();
  }
}

async function started(owner: string, participants: readonly string[], policyVersion = ''): Promise<string> {
  const id = randomUUID();
  const start = startIn(DECISION, id, owner, participants);
  const payload = doors.deps.codec.encode(
    'SessionStart',
    startPayload({ participants: [...participants], ttlMs: 60_000, policyVersion }),
  );
  expect(await doors.send({ ...start, payload })).toMatchObject({ ok: true });
  return id;
}

describe('hardening:H18 the trailers of a refusal', () => {
  it.each([
    ['unknown keys', Array.from({ length: 4_000 }, (_, at) => `"x-a.${at}":1`)],
    ['one very long key', [`"${'k'.repeat(50_000)}":1`]],
    ['letters that are long as they are sent', [`"${'\u{1f600}'.repeat(3_000)}":1`]],
    ['half a pair of surrogates', ['"\\ud800":1']],
    ['a long name twice', [`"${'é'.repeat(20_000)}":1,"${'é'.repeat(20_000)}":1`]],
  ])('are short when a status quotes %s', async (_, members) => {
    const sessionId = await started('alice', ['alice', 'bob']);
    const rules = `{${members.join(',')}}`;
    const candidate = { mode: '*', rules, schemaVersion: 3 };
    const request = encodeMessage(pb.WhatIfReplayRequestSchema, { sessionId, candidate });
    const { status } = await overOne((client) => ask(client, 'whatIfReplay', request, 'alice'));
    expect(status.metadata.get('macp-error-code')).toEqual(['INVALID_POLICY_DEFINITION']);
    expect(status.details).toMatch(/^INVALID_POLICY_DEFINITION: candidate: /);
    expect(trailerBytes(status)).toBeLessThan(ENOUGH);
  });

  it(`${verifies('macp-2026:2.2:short')}are short when the details name hundreds; the Ack names them all`, async () => {
    const policy = {
      policyId: 'veto',
      mode: DECISION,
      description: '',
      schemaVersion: 3,
      rules: { objection_handling: { critical_severity_vetoes: true } },
    };
    expect(await doors.services.registries.registerPolicy(doors.principal('root'), policy)).toBeUndefined();
    const others = Array.from({ length: 200 }, (_, at) => 'o'.repeat(240) + String(at).padStart(4, '0'));
    const id = await started('owner', ['owner', ...others], 'veto');
    const say = sayIn(DECISION);
    const nothing = { reason: '', supportingData: new Uint8Array(), rationale: '' };
    await doors.send(say(id, 'owner', 'Proposal', { proposalId: 'p', option: 'x', ...nothing }));
    for (const by of others) {
      const objection = { proposalId: 'p', severity: 'critical', ...nothing };
      expect(await doors.send(say(id, by, 'Objection', objection))).toMatchObject({ ok: true });
    }
    const commitment = doors.deps.codec.encode('Commitment', {
      commitmentId: 'c',
      action: 'done',
      authorityScope: 's',
      reason: 'r',
      modeVersion: '1.0.0',
      policyVersion: '',
      configurationVersion: startPayload().configurationVersion,
      outcomePositive: true,
    });
    const request = encodeSendRequest(envelopeOf(id, '', 'Commitment', commitment, { mode: DECISION }));
    await overOne(async (client) => {
      const { bytes, status } = await ask(client, 'send', request, 'owner');
      expect(trailerBytes(status)).toBeLessThan(ENOUGH);
      const error = bytes && decodeAckResponse(bytes)?.error;
      expect(error?.code).toBe('POLICY_DENIED');
      expect(JSON.parse(Buffer.from(error?.details ?? []).toString()).denials[0].participants).toHaveLength(
        200,
      );
      // Nothing but a status of its own: the connection is there.
      const again = await ask(client, 'send', request, 'owner');
      expect(again.status.code).toBe(0);
      return again;
    });
  });
});
