/**
 * The example transcript is what a server gave out at the end of a run, and played back it comes out the same. After a
 * change that is meant, `npx vitest run test/conformance/example-transcript.test.ts -u` writes it again.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Envelope, envelopeFromJson } from '@handover/core';
import { describe, expect, it } from 'vitest';
import { nodeCodec as codec } from '../../packages/server/src/platform/node-codec.js';
import { T0 } from '../kit/clock.js';
import { events } from '../kit/event-client.js';
import { TestServer } from '../kit/test-server.js';
import { verifies } from './verifies.js';
import type { Metadata } from './wire/door.js';
import { exampleStory } from './wire/example-story.js';

const FILE = fileURLToPath(new URL('../../examples/handoff-mode-session.json', import.meta.url));

interface Transcript {
  readonly format: string;
  readonly session: Metadata;
  /** The accepted history as canonical JSON, as the event stream gives it. */
  readonly envelopes: readonly Metadata[];
}

/** Plays envelopes over HTTP, each at its own time, to a fresh server; what the server then says of the session. */
async function play(envelopes: readonly Metadata[]): Promise<Transcript> {
  const server = await TestServer.start({ flags: { dev: true } });
  const headers = (agent: unknown) => ({
    authorization: `Bearer ${agent}`,
    'content-type': 'application/json',
  });
  try {
    for (const envelope of envelopes) {
      server.advance(Date.parse(String(envelope.timestamp)) - server.now);
      const request = { method: 'POST', headers: headers(envelope.sender), body: JSON.stringify(envelope) };
      const ack = (await (await fetch(`${server.http}/macp/envelope`, request)).json()) as Metadata;
      expect(ack).toMatchObject({ ok: true, duplicate: false, message_id: envelope.message_id });
    }
    const session = `${server.http}/macp/session/${envelopes[0]?.session_id}`;
    const received: Metadata[] = [];
    for await (const { event, data } of events(`${session}/events`, headers('alice')))
      if (event === 'envelope') received.push(data as Metadata);
    const metadata = (await (await fetch(session, { headers: headers('alice') })).json()) as Metadata;
    return { format: 'macp-session-transcript@1', session: metadata, envelopes: received };
  } finally {
    await server.remove();
  }
}

const toJson = ({
  payload,
  macpVersion,
  messageType,
  messageId,
  sessionId,
  timestampUnixMs,
  ...rest
}: Envelope) => ({
  ...rest,
  macp_version: macpVersion,
  message_type: messageType,
  message_id: messageId,
  session_id: sessionId,
  timestamp: new Date(timestampUnixMs).toISOString(),
  payload_b64: Buffer.from(payload).toString('base64'),
});

describe('the example transcript', () => {
  it('is what a run gives out', async () => {
    const run = await play(exampleStory(T0).map(toJson));
    await expect(`${JSON.stringify(run, null, 2)}\n`).toMatchFileSnapshot(FILE);
  });

  it(`${verifies('decision:schemas:example')}replays to itself`, async () => {
    const example = JSON.parse(readFileSync(FILE, 'utf8')) as Transcript;
    expect(example.envelopes).toHaveLength(8);
    expect(example.session).toMatchObject({ state: 'SESSION_STATE_RESOLVED', initiator: 'alice' });
    expect(await play(example.envelopes)).toEqual(example);
  });

  it('is canonical: every envelope reads, with its payload decoded', () => {
    const { envelopes } = JSON.parse(readFileSync(FILE, 'utf8')) as Transcript;
    for (const envelope of envelopes) {
      expect(envelopeFromJson(envelope, codec)).toHaveProperty('envelope');
      expect(envelope.payload).toBeTypeOf('object');
    }
  });
});
