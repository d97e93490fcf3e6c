import { status } from '@grpc/grpc-js';
import {
  BUILT_IN_MODES,
  CoreMessageType,
  canonicalJson,
  DECISION_MODE,
  type Envelope,
  HANDOFF_MODE,
  isFields,
  type Json,
  MULTI_ROUND_MODE,
  PROPOSAL_MODE,
  QUORUM_MODE,
  TASK_MODE,
  verifyMacpReceipt,
} from '@handover/core';
import { createMemoryStore, type Store } from '@handover/engine';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { verifies } from '../../../../../../test/conformance/verifies.js';
import { commitmentPayload, envelopeOf, startPayload } from '../../../../../../test/kit/envelopes.js';
import { refusal } from '../../../../../../test/kit/refused.js';
import { verifySignature as verify } from '../../../keys/ed25519.js';
import { readJwks } from '../../../keys/jwks.js';
import { nodeCodec as codec } from '../../../platform/node-codec.js';
import { newSession } from '../testing/envelopes.test.helper.js';
import { startWorld, type World } from '../testing/world.test.helper.js';

/** Of each mode: what is said between the start and the Commitment, by whom, and how it ends. */
const STORIES: Readonly<Record<string, readonly (readonly [string, string, object])[]>> = {
  [DECISION_MODE]: [
    ['bob', 'Proposal', { proposalId: 'p', option: 'o', rationale: '', supportingData: new Uint8Array(0) }],
  ],
  [PROPOSAL_MODE]: [
    ['bob', 'Proposal', { proposalId: 'p', title: '', summary: '', details: new Uint8Array(0), tags: [] }],
    ['bob', 'Accept', { proposalId: 'p', reason: '' }],
  ],
  [TASK_MODE]: [
    [
      'alice',
      'TaskRequest',
      {
        taskId: 't',
        title: '',
        instructions: '',
        requestedAssignee: '',
        input: new Uint8Array(0),
        deadlineUnixMs: 0,
      },
    ],
    ['bob', 'TaskAccept', { taskId: 't', assignee: '', reason: '' }],
    ['bob', 'TaskComplete', { taskId: 't', assignee: '', output: new Uint8Array(1), summary: '' }],
  ],
  [HANDOFF_MODE]: [
    ['alice', 'HandoffOffer', { handoffId: 'h', targetParticipant: 'bob', scope: 's', reason: '' }],
    ['bob', 'HandoffAccept', { handoffId: 'h', acceptedBy: '', reason: '', implicit: false }],
  ],
  [QUORUM_MODE]: [
    [
      'alice',
      'ApprovalRequest',
      { requestId: 'r', action: 'a', summary: '', details: new Uint8Array(0), requiredApprovals: 1 },
    ],
    ['bob', 'Approve', { requestId: 'r', reason: '' }],
  ],
  [MULTI_ROUND_MODE]: [['bob', 'Contribute', { value: 'x' }]],
};

async function say(world: World, envelope: Envelope): Promise<void> {
  const ack = await world.services.send.send({ authorization: `Bearer ${envelope.sender}-token` }, envelope, {
    door: 'test',
  });
  if (!ack.ok) throw new Error(`${envelope.messageType}: ${ack.error?.code} ${ack.error?.message}`);
}

async function story(world: World, mode: string, payload?: Uint8Array): Promise<string> {
  const id = newSession();
  const kinds = BUILT_IN_MODES.get(mode)?.payloads ?? {};
  const participants = mode === HANDOFF_MODE ? ['alice', 'bob'] : ['bob'];
  const start = codec.encode('SessionStart', startPayload({ participants }));
  await say(world, envelopeOf(id, 'alice', CoreMessageType.SessionStart, start, { mode }));
  for (const [sender, type, said] of STORIES[mode] ?? []) {
    const kind = kinds[type];
    if (!kind) throw new Error(`${mode} has no ${type}`);
    await say(world, envelopeOf(id, sender, type, codec.encode(kind, said), { mode }));
  }
  const commitment = payload ?? codec.encode('Commitment', commitmentPayload({ action: 'done' }));
  await say(world, envelopeOf(id, 'alice', CoreMessageType.Commitment, commitment, { mode }));
  return id;
}

const receiptOf = async (world: World, sessionId: string, agent = 'alice') =>
  (await world.client(agent).call('getDecisionReceipt', { sessionId })).receiptJson;
const refused = async (world: World, sessionId: string, agent?: string) => {
  const { code, metadata } = await refusal(world.client(agent).call('getDecisionReceipt', { sessionId }));
  return [status[code], String(metadata.get('macp-error-code')[0])];
};

describe('GetDecisionReceipt', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  const STANDARD = Object.keys(STORIES).filter((mode) => mode.startsWith('macp.mode.'));
  it.each(STANDARD)(
    `${verifies('macp-2026:14.3:states')}of a resolved session of %s, attested by the published keys`,
    async (mode) => {
      const id = await story(world, mode);
      const text = await receiptOf(world, id);
      const receipt = JSON.parse(text) as Json;
      expect(canonicalJson(receipt)).toBe(text);
      expect(receipt).toMatchObject({
        session_id: id,
        mode,
        issuer: expect.stringMatching(/^runtime:handover-[0-9a-f]{16}$/),
      });
      const { jwksJson } = await world.client().call('getReceiptKeys', {});
      const trusted = readJwks(jwksJson);
      if (typeof trusted === 'string') throw new Error(trusted);
      expect(verifyMacpReceipt(receipt, { codec, verify, trusted }).verdict).toBe('attested');
    },
  );

  it(`${verifies('macp-2026:14.3:states')}of no other mode, no other state and no other Commitment`, async () => {
    expect(await refused(world, await story(world, MULTI_ROUND_MODE), 'alice')).toEqual([
      'FAILED_PRECONDITION',
      'RECEIPT_UNAVAILABLE',
    ]);
    const open = newSession();
    const start = codec.encode('SessionStart', startPayload({ participants: ['alice', 'bob'] }));
    await say(world, envelopeOf(open, 'alice', CoreMessageType.SessionStart, start));
    const client = world.client('alice');
    const state = async (change?: 'suspendSession' | 'resumeSession' | 'cancelSession') => {
      if (change) await client.call(change, { sessionId: open, reason: '' });
      return (await refused(world, open, 'alice'))[1];
    };
    expect(await state()).toBe('RECEIPT_UNAVAILABLE');
    expect(await state('suspendSession')).toBe('RECEIPT_UNAVAILABLE');
    expect(await state('resumeSession')).toBe('RECEIPT_UNAVAILABLE');
    expect(await state('cancelSession')).toBe('RECEIPT_UNAVAILABLE');
    const expired = newSession();
    await say(world, envelopeOf(expired, 'alice', CoreMessageType.SessionStart, start));
    world.clock.now += 120_000;
    expect((await refused(world, expired, 'alice'))[1]).toBe('RECEIPT_UNAVAILABLE');
    const more = codec.encode('Commitment', commitmentPayload({ action: 'done' }));
    const unknown = await story(world, HANDOFF_MODE, Buffer.concat([more, Buffer.of(0x9a, 0x06, 1, 0x78)]));
    expect((await refused(world, unknown, 'alice'))[1]).toBe('RECEIPT_UNAVAILABLE');
    expect(
      await world.store.receipts.find({ tenant: 'default', kind: 'session', id: unknown }, 'macp-receipt/1'),
    ).toBe(undefined);
  });

  it(`${verifies('macp-2026:14.3:readers')}for whoever may read the session, the same bytes`, async () => {
    const id = await story(world, HANDOFF_MODE);
    const texts = new Set<string>();
    for (const agent of ['alice', 'bob', 'watcher']) {
      texts.add(await receiptOf(world, id, agent));
      world.clock.now += 5_000;
    }
    expect(texts.size).toBe(1);
    expect(await refused(world, id)).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED']);
    expect(await refused(world, id, 'mallory')).toEqual(['PERMISSION_DENIED', 'FORBIDDEN']);
    expect(await refused(world, id, 'alien')).toEqual(['NOT_FOUND', 'SESSION_NOT_FOUND']);
    expect(await refused(world, newSession(), 'alice')).toEqual(['NOT_FOUND', 'SESSION_NOT_FOUND']);
  });

  it(`${verifies('macp-2026:14.3:same-bytes', 'macp-2026:14.3:asked-for')}all at once, the same bytes, made once`, async () => {
    const id = await story(world, HANDOFF_MODE);
    const issued = async () =>
      Number(
        /macp_receipts_issued_total\{signed="true"\} (\d+)/.exec(await world.deps.metrics.render())?.[1],
      );
    const before = await issued();
    const ref = { tenant: 'default', kind: 'session', id } as const;
    expect(await world.store.receipts.find(ref, 'macp-receipt/1')).toBeUndefined();
    const texts = await Promise.all(
      ['alice', 'bob', 'watcher', 'alice', 'bob'].map((agent) => receiptOf(world, id, agent)),
    );
    expect(new Set(texts).size).toBe(1);
    expect(await issued()).toBe(before + 1);
  });

  it('of several that ask while one is made, none has the history read again', async () => {
    const id = await story(world, HANDOFF_MODE);
    const read = vi.spyOn(world.store, 'read');
    const asked = ['alice', 'bob', 'watcher'].map((agent) =>
      world.services.receipts.get(world.principal(`${agent}-token`), id),
    );
    expect(new Set((await Promise.all(asked)).map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    expect(read.mock.calls.filter(([ref]) => ref.id === id)).toHaveLength(1);
    read.mockRestore();
  });
});

it(`${verifies('macp-2026:14.3:same-bytes')}a receipt stays what it was under other keys and another name`, async () => {
  const store = createMemoryStore();
  const first = await startWorld({ store });
  const id = await story(first, HANDOFF_MODE);
  const text = await receiptOf(first, id);
  await first.door.close();
  const second = await startWorld({ store, env: { MACP_RUNTIME_ID: 'other' } });
  expect(second.deps.receiptKeys.kid).not.toBe(first.deps.receiptKeys.kid);
  expect(await receiptOf(second, id, 'bob')).toBe(text);
  expect(JSON.parse(await receiptOf(second, await story(second, HANDOFF_MODE))).issuer).toBe('runtime:other');
  await second.close();
});

it(`${verifies('macp-2026:14.3:readers')}a request counts as a message`, async () => {
  const world = await startWorld({ env: { MACP_MESSAGE_LIMIT_PER_MINUTE: '4' } });
  const id = await story(world, HANDOFF_MODE);
  const text = await receiptOf(world, id, 'watcher');
  for (let i = 0; i < 3; i++) expect(await receiptOf(world, id, 'watcher')).toBe(text);
  expect(await refused(world, id, 'watcher')).toEqual(['RESOURCE_EXHAUSTED', 'RATE_LIMITED']);
  await world.close();
});

it(`${verifies('macp-2026:14.3:unsigned-log')}a log that does not hold gets none, and that is counted`, async () => {
  const inner = createMemoryStore();
  const changed: Store = {
    ...inner,
    read: async (...asked) =>
      (await inner.read(...asked)).map((entry) =>
        entry.type === 'HandoffOffer' ? { ...entry, payload: new Uint8Array(entry.payload.length) } : entry,
      ),
  };
  const world = await startWorld({ store: changed });
  const id = await story(world, HANDOFF_MODE);
  expect(await refused(world, id, 'alice')).toEqual(['INTERNAL', 'INTERNAL_ERROR']);
  expect(await world.deps.metrics.render()).toMatch(/^macp_receipt_issue_failures_total 1$/m);
  await world.close();
});

it(`${verifies('macp-2026:14.4:jwks')}anybody may have the keys, the signing one first, and nothing private`, async () => {
  const world = await startWorld();
  const { jwksJson } = await world.client().call('getReceiptKeys', {});
  const { keys } = JSON.parse(jwksJson) as { keys: unknown[] };
  const [key] = keys;
  expect(isFields(key) && Object.keys(key).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x']);
  expect(key).toMatchObject({
    kty: 'OKP',
    crv: 'Ed25519',
    alg: 'EdDSA',
    use: 'sig',
    kid: world.deps.receiptKeys.kid,
  });
  await world.close();
});

it(`${verifies('macp-2026:3.1:receipts')}Initialize promises receipts and what-if replay`, async () => {
  const world = await startWorld();
  const { capabilities } = await world.client().call('initialize', { supportedProtocolVersions: ['1.0'] });
  expect(capabilities?.decisionReceipt).toMatchObject({ getDecisionReceipt: true, signed: true });
  expect(capabilities?.policyRegistry).toMatchObject({ whatIfReplay: true });
  await world.close();
});
