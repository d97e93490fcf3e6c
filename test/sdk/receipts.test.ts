/** Receipts, keys, commitment hashes and what-if replay, as a client has them. */
import {
  buildDecisionPolicy,
  commitmentHash,
  DecisionSession,
  HandoffSession,
  MacpUnsupportedError,
  newSessionId,
  serializeMessage,
  trustedKeysOf,
  verifyReceipt,
} from 'macp-sdk-typescript';
import { describe, expect, it } from 'vitest';
import { verifies } from '../conformance/verifies.js';
import { startBareRuntime } from './support/bare-runtime.js';
import { useServer } from './support/server.js';

const OUTCOME = { action: 'option.selected', authorityScope: 's', reason: 'r' };
const failure = (promise: Promise<unknown>) => promise.then(() => undefined).catch((error: unknown) => error);

describe('macp-2026:14 a decision receipt', () => {
  const server = useServer();
  async function decided() {
    const client = server.as('alice');
    const session = new DecisionSession(client);
    await session.start({ intent: 'x', participants: ['alice', 'bob'], ttlMs: 60_000 });
    await session.propose({ proposalId: 'p', option: 'go' });
    await session.commit(OUTCOME);
    return { client, session, sessionId: session.sessionId };
  }

  it(`${verifies('macp-2026:19:receipts')}is the same bytes each time, and holds with the keys of the runtime`, async () => {
    const { client, session, sessionId } = await decided();
    const { text, receipt } = await client.getDecisionReceipt(sessionId);
    expect(await server.as('bob').getDecisionReceipt(sessionId)).toEqual({ text, receipt });
    expect(receipt).toMatchObject({ receipt_format: 'macp-receipt/1', session_id: sessionId });
    const { commitment } = session.projection;
    expect(receipt.commitment_hash).toBe(commitment && commitmentHash(commitment));
    const { keys, text: jwks } = await client.getReceiptKeys();
    expect(trustedKeysOf(jwks)).toEqual(keys);
    expect(verifyReceipt(text, keys)).toMatchObject({
      verdict: 'attested',
      integrity: 'match',
      attestations: [{ status: 'valid' }],
    });
    expect(verifyReceipt(text)).toMatchObject({ verdict: 'integrity_only' });
    const other = [{ kid: 'other', publicKey: Buffer.alloc(32, 1).toString('base64') }];
    expect(verifyReceipt(text, other).attestations).toMatchObject([{ status: 'unknown_key' }]);
  });

  it('that was changed does not hold', async () => {
    const { client, sessionId } = await decided();
    const { text } = await client.getDecisionReceipt(sessionId);
    const { keys } = await client.getReceiptKeys();
    const said = (changed: string) => verifyReceipt(changed, keys).verdict;
    expect(said(text.replace('"reason":"r"', '"reason":"s"'))).toBe('unverified');
    expect(said(text.replace(/"issuer":"runtime:[^"]*"/, '"issuer":"runtime:other"'))).toBe('integrity_only');
    // Which of the two would people read?
    expect(said(text.replace('{', '{"issuer":"runtime:mine",'))).toBe('refused');
    expect(said(text.replace('{', '{"a":1e15,"a":1,'))).toBe('refused');
    expect(said('not JSON')).toBe('refused');
    // White space and the order of members are nobody's business.
    expect(said(JSON.stringify(JSON.parse(text), null, 2))).toBe('attested');
    const { attestations, ...rest } = JSON.parse(text) as Record<string, unknown>;
    expect(said(JSON.stringify({ attestations, ...rest }))).toBe('attested');
  });

  it('of a session that is not resolved cannot be made', async () => {
    const session = new DecisionSession(server.as('alice'));
    await session.start({ intent: 'x', participants: ['alice'], ttlMs: 60_000 });
    expect(await failure(session.client.getDecisionReceipt(session.sessionId))).toMatchObject({
      macpCode: 'RECEIPT_UNAVAILABLE',
    });
  });

  it('of another vendor holds as well', () => {
    const receipt = {
      receipt_format: 'macp-receipt/1',
      session_id: '0192f1a4-7c3e-7b2a-9f10-5d2c8e4b6a01',
      mode: 'macp.mode.decision.v1',
      commitment: {
        action: 'decision.approved',
        authority_scope: 'seam',
        commitment_id: 'c2',
        configuration_version: '1.0.0',
        mode_version: 'macp.mode.decision.v1',
        outcome_positive: true,
        policy_version: '1.0.0',
        reason: 'sealed by seam',
        supersedes: { commitment_hash: HASHES.first, session_id: 'prior-sess' },
      },
      commitment_hash: HASHES.second,
      semantics_rev: { implementation: 'macp-runtime', rev: 4 },
      issuer: 'runtime:example',
      issued_at: '2026-10-24T12:00:00Z',
      attestations: [
        {
          type: 'jws',
          jws: 'eyJhbGciOiJFZERTQSIsImtpZCI6ImV4YW1wbGUtMSJ9..ZYdZZzXE60Tf8tcerB76f59c9wR7f10mjp032gK9IG22284kkVMJBbCITtpgfnnEuNSqHFY9TUaLgAgMFh8PBQ',
        },
      ],
    };
    const x = 'TDVzkxaSf6_Oxu7mmn5TbCkF80s8Ulh33qKQsi0gnZM';
    const jwks = { keys: [{ kty: 'OKP', crv: 'Ed25519', kid: 'example-1', x, alg: 'EdDSA', use: 'sig' }] };
    const keys = trustedKeysOf(JSON.stringify(jwks));
    expect(verifyReceipt(JSON.stringify(receipt), keys)).toMatchObject({ verdict: 'attested' });
    expect(() => trustedKeysOf('[]')).toThrow(expect.objectContaining({ argument: 'jwks' }));
  });
});

const HASHES = {
  first: 'sha256:9f58e9d114d11860d48aa2bcb8cda458b9618b1cc8560595a802b68c4af85d41',
  second: 'sha256:7cc490432ad6b25e9c19fc7c3a84f1e33abe497fca1fd5266ff0275db3650f9d',
};

it('macp-2026:14.1 the hash of a Commitment is everybody’s', () => {
  const base = {
    commitmentId: 'c1',
    action: 'decision.approved',
    authorityScope: 'seam',
    reason: 'sealed by seam',
    modeVersion: 'macp.mode.decision.v1',
    policyVersion: '1.0.0',
    configurationVersion: '1.0.0',
    outcomePositive: true,
  };
  expect(commitmentHash(base)).toBe(HASHES.first);
  const supersedes = { sessionId: 'prior-sess', commitmentHash: HASHES.first };
  expect(commitmentHash({ ...base, commitmentId: 'c2', supersedes })).toBe(HASHES.second);
  const odd = {
    ...base,
    commitmentId: 'c5',
    action: 'decision."appro\\ved"',
    authorityScope: 'café',
    reason: 'ré\tsumé\n— naïve 🜂',
    outcomePositive: false,
  };
  expect(commitmentHash(odd)).toBe('sha256:03f8ac2b8172958504092ce9fe5154dbcfe300fd30a350453d4e4bd715822ab2');
  const bytes = serializeMessage('Commitment', base);
  expect(commitmentHash(bytes)).toBe(HASHES.first);
  // Field 99, of which the hash would say nothing.
  expect(commitmentHash(Buffer.concat([bytes, Buffer.from([0x9a, 0x06, 0x01, 0x78])]))).toBeUndefined();
});

describe('macp-2026:15 what-if replay', () => {
  const server = useServer();

  it('says what another policy would have made of the history, and stores nothing', async () => {
    const client = server.as('alice');
    const session = new DecisionSession(client);
    await session.start({ intent: 'x', participants: ['alice', 'bob'], ttlMs: 60_000 });
    await session.propose({ proposalId: 'p', option: 'go' });
    await session.commit(OUTCOME);
    const strict = buildDecisionPolicy(`policy.${newSessionId()}`, '', { voting: { algorithm: 'majority' } });
    const result = await client.whatIfReplay(session.sessionId, strict);
    expect(result).toMatchObject({
      candidatePolicyId: strict.policyId,
      recordedPolicyId: 'policy.default',
      recorded: { state: 'RESOLVED', commitment: { action: 'option.selected' } },
      candidate: { state: 'OPEN', commitment: undefined },
      firstDivergence: 2,
      denials: [{ historyIndex: 2, denials: [{ code: 'no_votes', participants: [] }] }],
    });
    expect(result.entries.map(({ messageType, candidate }) => [messageType, candidate?.kind])).toEqual([
      ['SessionStart', 'applied'],
      ['Proposal', 'applied'],
      ['Commitment', 'refused'],
    ]);
    const same = await client.whatIfReplay(session.sessionId, buildDecisionPolicy('p', ''));
    expect(same).toMatchObject({ firstDivergence: undefined, denials: [] });
    expect((await session.metadata()).policyVersion).toBe('policy.default');
  });

  it('of another mode’s policy is refused, with the code', async () => {
    const session = new HandoffSession(server.as('alice'));
    await session.start({ intent: 'x', participants: ['bob'], ttlMs: 60_000 });
    const replay = session.client.whatIfReplay(session.sessionId, buildDecisionPolicy('p', ''));
    expect(await failure(replay)).toMatchObject({ macpCode: 'INVALID_POLICY_DEFINITION' });
  });
});

describe('macp-2026:3.1 a runtime that does not advertise it', () => {
  it(`${verifies('macp-2026:19:receipts')}is not asked for it`, async () => {
    const { client, asked, stop } = await startBareRuntime();
    const policy = buildDecisionPolicy('p', '');
    for (const ask of [
      () => client.getDecisionReceipt(newSessionId()),
      () => client.getReceiptKeys(),
      () => client.whatIfReplay(newSessionId(), policy),
    ])
      expect(await failure(ask())).toBeInstanceOf(MacpUnsupportedError);
    // Once: the answer is kept.
    expect(asked).toEqual(['initialize']);
    stop();
  });
});
