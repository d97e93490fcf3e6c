import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  type CommitmentPayload,
  commitmentHash,
  compareMacpReceipt,
  type Entry,
  type Json,
  type JsonObject,
  MacpReceiptFold,
  type MacpReceiptResult,
  StreamKind,
  signMacpReceipt,
  verifyMacpReceipt,
  verifyStream,
} from '@handover/core';
import { createMemoryStore } from '@handover/engine';
import canonicalize from 'canonicalize';
import { exportJWK, FlattenedSign, flattenedVerify, importJWK } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../../../../test/conformance/verifies.js';
import { commitmentPayload } from '../../../../test/kit/envelopes.js';
import { rawPublicKey, verifySignature as verify } from '../keys/ed25519.js';
import { memoryKeyring } from '../keys/keyring.js';
import { nodeCodec as codec } from '../platform/node-codec.js';
import { at, changed, leavesOf, nameOf, otherValues } from './json-leaves.test.helper.js';
import { idOf, sessionOf, tellStories, World } from './stories.test.helper.js';

const world = new World(createMemoryStore());
beforeAll(() => tellStories(world));

const ISSUE = { issuer: 'runtime:here', issuedAt: Date.UTC(2026, 9, 24, 12, 0, 0, 987) };
const keyring = memoryKeyring();
const [own] = keyring.publicKeys();
const key = { kid: keyring.keyId, publicKey: own?.publicKey ?? '' };
const signer = { kid: key.kid, sign: (bytes: Uint8Array) => keyring.sign(bytes).signature };

function resultOf(entries: readonly Entry[]): MacpReceiptResult {
  const fold = new MacpReceiptFold(codec);
  for (const entry of entries) fold.add(entry);
  const [first] = entries;
  const verdict = first && verifyStream(first.stream, entries, codec);
  if (!verdict?.ok || !verdict.session) throw new Error('no sound session');
  return fold.result(verdict.session, verdict.head, ISSUE);
}
const ofStory = async (name: string, tenant?: string) =>
  resultOf(await world.entries(sessionOf(idOf(name), tenant)));
async function textOf(name: string): Promise<string> {
  const made = await ofStory(name);
  if ('none' in made) throw new Error(made.none);
  return signMacpReceipt(made.body, signer, codec);
}
const check = (value: Json, trusted = [key] as readonly { kid?: string; publicKey: string }[]) =>
  verifyMacpReceipt(value, { codec, verify, trusted });

const base = commitmentPayload({
  commitmentId: 'c1',
  action: 'decision.approved',
  authorityScope: 'seam',
  reason: 'sealed by seam',
  modeVersion: 'macp.mode.decision.v1',
  policyVersion: '1.0.0',
  configurationVersion: '1.0.0',
  outcomePositive: true,
});
const empty: CommitmentPayload = {
  commitmentId: '',
  action: '',
  authorityScope: '',
  reason: '',
  modeVersion: '',
  policyVersion: '',
  configurationVersion: '',
  outcomePositive: false,
};
const HASH_001 = '9f58e9d114d11860d48aa2bcb8cda458b9618b1cc8560595a802b68c4af85d41';
const HASH_002 = '7cc490432ad6b25e9c19fc7c3a84f1e33abe497fca1fd5266ff0275db3650f9d';
const superseding = {
  ...base,
  commitmentId: 'c2',
  supersedes: { sessionId: 'prior-sess', commitmentHash: `sha256:${HASH_001}` },
};
const wireOf = (payload: CommitmentPayload) => codec.encode('Commitment', payload);
const hashOf = (bytes: Uint8Array) => commitmentHash(bytes, codec);
const bytes = (...parts: readonly (number | string | Uint8Array)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.of(part) : Buffer.from(part))));

describe('the commitment hash', () => {
  it.each([
    ['001', base, HASH_001],
    ['002', superseding, HASH_002],
    ['003', empty, '3240d1a7adb7bd9420ad5490182227ce699c9e4e465f7934885fe2ded939f32e'],
    [
      '004',
      { ...empty, supersedes: { sessionId: '', commitmentHash: '' } },
      '9776c22ef165f26817f89bb456cf6bc56a659eb1561a576f6ea9a435bd3291d7',
    ],
    [
      '005',
      {
        ...base,
        commitmentId: 'c5',
        action: 'decision."appro\\ved"',
        authorityScope: 'café',
        reason: 'ré\tsumé\n— naïve 🜂',
        outcomePositive: false,
      },
      '03f8ac2b8172958504092ce9fe5154dbcfe300fd30a350453d4e4bd715822ab2',
    ],
  ])(`${verifies('macp-2026:14.1:vectors')}vector %s`, (_, payload, hash) => {
    expect(hashOf(wireOf(payload))).toBe(`sha256:${hash}`);
  });

  it(`${verifies('macp-2026:14.1:outside')}vectors 006 and 009: bytes with another field cannot be verified`, () => {
    expect(hashOf(bytes(wireOf(base), 0x9a, 0x06, 1, 'x'))).toBeUndefined();
    const reference = bytes(0x0a, 1, 's', 0x12, 1, 'h', 0x1a, 1, 'x');
    expect(hashOf(bytes(wireOf(base), 0x4a, reference.length, reference))).toBeUndefined();
    const known = reference.subarray(0, 6);
    expect(hashOf(bytes(wireOf(base), 0x4a, known.length, known))).toMatch(/^sha256:/);
    // A group, a known number as another type, a length beyond the end, a cut tag, text that is no UTF-8.
    for (const more of [
      [0x0b, 0x0c],
      [0x08, 1],
      [0x42, 1, 1],
      [0x0a, 9, 'x'],
      [0x8a],
      [0x0a, 1, 0xff],
      [0x48, 0],
      [0x02, 0],
    ])
      expect(hashOf(bytes(wireOf(base), ...more)), String(more)).toBeUndefined();
  });

  it(`${verifies('macp-2026:14.1:order')}fields in another order, twice, or with their defaults hash alike`, () => {
    const field = (number: number, text: string) => bytes(number * 8 + 2, text.length, text);
    const reordered = bytes(
      ...[64, 0, 64, 1],
      field(7, '1.0.0'),
      field(6, '1.0.0'),
      field(5, 'macp.mode.decision.v1'),
      field(4, 'first'),
      field(3, 'seam'),
      field(2, 'decision.approved'),
      field(1, 'c1'),
      field(4, 'sealed by seam'),
    );
    expect(hashOf(reordered)).toBe(`sha256:${HASH_001}`);
    // A number in more bytes than it needs, and the parts of a sub-message one by one.
    const parts = bytes(0x4a, 3, field(1, 'p'), 0x4a, 12, field(1, 'prior-sess'), 0x4a, 73);
    const long = bytes(parts, field(2, `sha256:${HASH_001}`), field(1, 'c2'));
    expect(hashOf(bytes(wireOf(base), long))).toBe(`sha256:${HASH_002}`);
    expect(hashOf(bytes(wireOf(empty), 0x40, 0x80, 0x00))).toBe(hashOf(wireOf(empty)));
  });

  it.each([
    ['007: one digit changed', `sha256:${HASH_001.replace(/^9/, '8')}`],
    ['008: capitals', `sha256:${HASH_001.toUpperCase()}`],
    ['010: no prefix', HASH_001],
  ])(`${verifies('macp-2026:14.1:claims')}vector %s is a mismatch`, async (_, claim) => {
    const document = { ...ATTESTED, commitment: vectorCommitment('c1'), commitment_hash: claim };
    expect(check(document)).toMatchObject({ verdict: 'unverified', integrity: 'mismatch' });
    expect(check({ ...document, commitment_hash: `sha256:${HASH_001}` }).integrity).toBe('match');
  });
});

function vectorCommitment(commitment_id: string, more: JsonObject = {}): JsonObject {
  return {
    action: 'decision.approved',
    authority_scope: 'seam',
    commitment_id,
    configuration_version: '1.0.0',
    mode_version: 'macp.mode.decision.v1',
    outcome_positive: true,
    policy_version: '1.0.0',
    reason: 'sealed by seam',
    ...more,
  };
}

const ATTESTED: JsonObject = {
  receipt_format: 'macp-receipt/1',
  session_id: '0192f1a4-7c3e-7b2a-9f10-5d2c8e4b6a01',
  mode: 'macp.mode.decision.v1',
  commitment: vectorCommitment('c2', {
    supersedes: { commitment_hash: `sha256:${HASH_001}`, session_id: 'prior-sess' },
  }),
  commitment_hash: `sha256:${HASH_002}`,
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
const EXAMPLE = {
  kid: 'example-1',
  publicKey: Buffer.from('TDVzkxaSf6_Oxu7mmn5TbCkF80s8Ulh33qKQsi0gnZM', 'base64url').toString('base64'),
};

describe('the attested vector', () => {
  it(`${verifies('macp-2026:14.5:attested')}verifies`, () => {
    expect(check(ATTESTED, [EXAMPLE])).toMatchObject({
      verdict: 'attested',
      integrity: 'match',
      attestations: [{ type: 'jws', status: 'valid', kid: 'example-1' }],
    });
    // A key that somebody holds without its name is as good.
    expect(check(ATTESTED, [{ publicKey: EXAMPLE.publicKey }]).verdict).toBe('attested');
  });

  it(`${verifies('macp-2026:14.3:unsigned')}and without its signature it is still whole`, () => {
    const unsigned = { ...ATTESTED, attestations: [] };
    expect(check(unsigned, [EXAMPLE])).toMatchObject({
      integrity: 'match',
      attestations: [],
      verdict: 'integrity_only',
    });
  });

  it(`${verifies('macp-2026:14.5:keys')}and says what speaks for it under other keys`, () => {
    const said = (value: Json, trusted?: Parameters<typeof check>[1]) => {
      const { verdict, attestations } = check(value, trusted);
      return [verdict, ...attestations.map(({ status }) => status)];
    };
    const jws = (text: string): Json => ({ ...ATTESTED, attestations: [{ type: 'jws', jws: text }] });
    const [{ jws: good = '' } = {}] = ATTESTED.attestations as { jws: string }[];
    const headed = (header: object) =>
      jws(`${Buffer.from(JSON.stringify(header)).toString('base64url')}${good.slice(good.indexOf('.'))}`);
    expect(said(ATTESTED, [])).toEqual(['integrity_only', 'unknown_key']);
    expect(said(ATTESTED, [{ ...key, kid: 'example-1' }])).toEqual(['integrity_only', 'invalid']);
    expect(said(ATTESTED, [{ ...EXAMPLE, kid: 'other' }])).toEqual(['integrity_only', 'unknown_key']);
    expect(said(ATTESTED, [{ publicKey: key.publicKey }])).toEqual(['integrity_only', 'unknown_key']);
    const here = [EXAMPLE];
    expect(said(jws(good.replace('..Z', '..Y')), here)).toEqual(['integrity_only', 'invalid']);
    expect(said(headed({ alg: 'ES256', kid: 'example-1' }), here)).toEqual(['integrity_only', 'unsupported']);
    expect(said(headed({ alg: 'none' }), here)).toEqual(['integrity_only', 'unsupported']);
    for (const header of [{ alg: 'EdDSA' }, { alg: 'EdDSA', kid: 'example-1', crit: ['b64'] }, { kid: 'x' }])
      expect(said(headed(header), here)).toEqual(['integrity_only', 'invalid']);
    for (const text of ['', 'x', '..', good.replace('..', '.e30.'), `${good}=`, `${good}.`, good.slice(1)])
      expect(said(jws(text), here), text).toEqual(['integrity_only', 'invalid']);
    const vendor = { type: 'vendor', format: 'x', binds: 'receipt', value: 'y' };
    expect(said({ ...ATTESTED, attestations: [vendor, {}] }, here)).toEqual([
      'integrity_only',
      'unsupported',
      'invalid',
    ]);
    expect(said({ ...ATTESTED, attestations: [] }, here)).toEqual(['integrity_only']);
    const several = { ...ATTESTED, attestations: [vendor, ...(ATTESTED.attestations as Json[])] };
    expect(said(several, here)).toEqual(['attested', 'unsupported', 'valid']);
  });

  it(`${verifies('macp-2026:14.5:integrity')}and is not looked at further when it does not hold together`, () => {
    const said = (over: JsonObject) => {
      const { verdict, integrity, attestations } = check({ ...ATTESTED, ...over }, [EXAMPLE]);
      expect(attestations).toEqual([]);
      return [verdict, integrity];
    };
    const wire = wireOf(superseding);
    const b64 = (given: Uint8Array) => Buffer.from(given).toString('base64');
    expect(check({ ...ATTESTED, commitment_wire_b64: b64(wire) }, [EXAMPLE]).integrity).toBe('match');
    expect(said({ commitment_wire_b64: b64(wireOf(base)) })).toEqual(['unverified', 'mismatch']);
    for (const other of [b64(bytes(wire, 0x9a, 6, 1, 'x')), b64(wire.subarray(1)), `${b64(wire)} `, '-_'])
      expect(said({ commitment_wire_b64: other })).toEqual(['unverified', 'cannot_verify']);
    const commitment = ATTESTED.commitment as JsonObject;
    for (const other of [
      null,
      [],
      'x',
      { ...commitment, more: '' },
      { ...commitment, outcome_positive: 'true' },
      { ...commitment, reason: 7 },
      { ...commitment, supersedes: {} },
      { ...commitment, supersedes: null },
    ])
      expect(said({ commitment: other }), JSON.stringify(other)).toEqual(['unverified', 'cannot_verify']);
    const { reason: _, ...without } = commitment;
    expect(said({ commitment: without })).toEqual(['unverified', 'cannot_verify']);
    expect(said({ commitment: { ...commitment, reason: 'x' } })).toEqual(['unverified', 'mismatch']);
  });

  it(`${verifies('macp-2026:14.5:format')}and another format, or what is no receipt, is refused`, () => {
    for (const value of [
      null,
      [],
      { ...ATTESTED, receipt_format: 'macp-receipt/2' },
      { ...ATTESTED, session_id: 1 },
      { ...ATTESTED, issued_at: '2026-10-24T12:00:00.5Z' },
      { ...ATTESTED, issued_at: '2026-10-24T25:00:00Z' },
      { ...ATTESTED, semantics_rev: { implementation: 'x', rev: 1.5 } },
      { ...ATTESTED, semantics_rev: { implementation: 'x', rev: 2 ** 53 } },
      { ...ATTESTED, issuer: '\ud800' },
      { ...ATTESTED, attestations: {} },
    ])
      expect(check(value as Json, [EXAMPLE])).toMatchObject({ verdict: 'refused', integrity: null });
  });
});

describe('our receipt', () => {
  it(`${verifies('macp-2026:14.2:document')}says what the format asks for, and binds the chain`, async () => {
    const entries = await world.entries(sessionOf(idOf('reoffered')));
    const made = await ofStory('reoffered');
    const last = entries.at(-1);
    expect(made).toEqual({
      body: {
        receipt_format: 'macp-receipt/1',
        session_id: idOf('reoffered'),
        mode: 'macp.mode.handoff.v1',
        commitment: expect.objectContaining({
          commitment_id: 'c1',
          outcome_positive: true,
          policy_version: '',
        }),
        commitment_hash: commitmentHash(last?.payload ?? bytes(), codec),
        commitment_wire_b64: Buffer.from(last?.payload ?? bytes()).toString('base64'),
        semantics_rev: { implementation: 'handover', rev: entries[0]?.facts.rev },
        // Nine entries, of which one suspends and one resumes.
        transcript: { digest_alg: 'handover-chain/1', digest: last?.hash, message_count: 7 },
        issuer: 'runtime:here',
        issued_at: '2026-10-24T12:00:00Z',
      },
    });
    expect(entries).toHaveLength(9);
  });

  it(`${verifies('macp-2026:14.2:independent')}is verified by libraries alone`, async () => {
    for (const name of [
      'accepted',
      'reoffered',
      'implicit-accept',
      'implicit-decline',
      'designated',
      'bound',
    ]) {
      const text = await textOf(name);
      const { attestations, ...body } = JSON.parse(text);
      expect(canonicalize({ attestations, ...body })).toBe(text);
      const [header, payload, signature] = attestations[0].jws.split('.');
      expect(payload).toBe('');
      const jwk = {
        kty: 'OKP',
        crv: 'Ed25519',
        x: Buffer.from(key.publicKey, 'base64').toString('base64url'),
      };
      const checked = await flattenedVerify(
        {
          protected: header,
          signature,
          payload: Buffer.from(canonicalize(body) ?? '').toString('base64url'),
        },
        await importJWK(jwk, 'EdDSA'),
      );
      expect(checked.protectedHeader).toEqual({ alg: 'EdDSA', kid: keyring.keyId });
      expect(check(JSON.parse(text)).verdict).toBe('attested');
    }
  });

  it(`${verifies('macp-2026:14.2:independent')}and one that libraries made is verified by us`, async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const { attestations: _, ...vector } = ATTESTED;
    for (const issuer of ['runtime:x', 'runtime:Ä "\\\u2028😀']) {
      const body = { ...vector, issuer };
      const jwk = await exportJWK(publicKey);
      const signed = await new FlattenedSign(Buffer.from(canonicalize(body) ?? ''))
        .setProtectedHeader({ alg: 'EdDSA', kid: 'theirs' })
        .sign(privateKey as KeyObject);
      const jws = `${signed.protected}..${signed.signature}`;
      const receipt = JSON.parse(JSON.stringify({ ...body, attestations: [{ type: 'jws', jws }] }, null, 3));
      const trusted = { kid: 'theirs', publicKey: rawPublicKey(publicKey).toString('base64') };
      expect(jwk.x).toBe(Buffer.from(trusted.publicKey, 'base64').toString('base64url'));
      expect(check(receipt, [trusted]).verdict).toBe('attested');
    }
  });

  it(`${verifies('macp-2026:14.5:tampering')}no value of it can change unseen`, async () => {
    for (const name of ['accepted', 'reoffered']) {
      const receipt = JSON.parse(await textOf(name)) as Json;
      let tried = 0;
      for (const path of leavesOf(receipt))
        for (const put of [...otherValues(at(receipt, path)), undefined]) {
          tried++;
          const verdict = check(changed(receipt, path, put)).verdict;
          expect(verdict, `${nameOf(path)}: ${JSON.stringify(put)}`).not.toBe('attested');
        }
      expect(tried).toBeGreaterThan(80);
      expect(check({ ...(receipt as JsonObject), more: 'x' }).verdict).toBe('integrity_only');
    }
  });

  it(`${verifies('macp-2026:14.6:chain')}is compared with the log, value by value`, async () => {
    const made = await ofStory('accepted');
    const receipt = check(JSON.parse(await textOf('accepted'))).receipt;
    if (!receipt) throw new Error('refused');
    expect(compareMacpReceipt(receipt, made)).toBeUndefined();
    expect(compareMacpReceipt({ ...receipt, mode: 'x' }, made)?.path).toBe('mode');
    const other = { digest_alg: 'handover-chain/1', digest: 'x'.repeat(64), message_count: 7 };
    expect(compareMacpReceipt({ ...receipt, transcript: other }, made)?.path).toBe('transcript.digest');
    expect(compareMacpReceipt(receipt, { none: 'it is open' })?.what).toContain('it is open');
  });

  it(`${verifies('macp-2026:14.3:states')}there is none of any other state, mode or Commitment`, async () => {
    for (const [name, why, tenant] of [
      ['expired', 'expired'],
      ['cancelled', 'cancelled'],
      ['cancelled-early', 'cancelled', 'other'],
      ['open', 'open'],
      ['suspended', 'suspended'],
      ['extension', 'ext.voting.v1'],
    ] as const)
      expect(await ofStory(name, tenant), name).toEqual({ none: expect.stringContaining(why) });
    const entries = await world.entries(sessionOf(idOf('accepted')));
    const verdict = verifyStream(sessionOf(idOf('accepted')), entries, codec);
    if (!verdict.ok || !verdict.session) throw new Error('no sound session');
    const fold = new MacpReceiptFold(codec);
    for (const entry of entries)
      fold.add(
        entry.type === 'Commitment' ? { ...entry, payload: bytes(entry.payload, 0x9a, 6, 1, 'x') } : entry,
      );
    expect(fold.result(verdict.session, verdict.head, ISSUE)).toEqual({
      none: expect.stringContaining('does not cover'),
    });
    expect(entries[0]?.stream.kind).toBe(StreamKind.Session);
  });
});
