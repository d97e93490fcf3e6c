import {
  canonicalJson,
  compareReceipt,
  type Entry,
  type Json,
  makeReceipt,
  type Receipt,
  signReceipt,
  verifyReceipt,
} from '@handover/core';
import { createMemoryStore } from '@handover/engine';
import { beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../../../../test/conformance/verifies.js';
import { T0 } from '../../../../test/kit/clock.js';
import { verifySignature as verify } from '../keys/ed25519.js';
import { memoryKeyring } from '../keys/keyring.js';
import { nodeCodec as codec } from '../platform/node-codec.js';
import { checkReceipt } from './independent-check.test.helper.mjs';
import { at, changed, leavesOf, nameOf, otherValues } from './json-leaves.test.helper.js';
import { receiptSigner } from './receipt-keys.js';
import { idOf, sessionOf, tellStories, World } from './stories.test.helper.js';

const world = new World(createMemoryStore());
beforeAll(() => tellStories(world));

const signer = receiptSigner(memoryKeyring());
const known = [signer.publicKey];
const entriesOf = (name: string): Promise<readonly Entry[]> =>
  world.entries(sessionOf(idOf(name), name === 'cancelled-early' ? 'other' : 'default'));

async function receiptOf(name: string, handoffId?: string): Promise<Receipt> {
  const made = makeReceipt(await entriesOf(name), codec, handoffId);
  if ('none' in made) throw new Error(made.none);
  return signReceipt(made.body, T0, signer, codec);
}

describe('a receipt', () => {
  it('says who offered, what was frozen, who answered, the outcome, the holder and the head', async () => {
    const entries = await entriesOf('accepted');
    const hashes = entries.slice(0, 4).map(({ payloadHash }) => payloadHash);
    expect(await receiptOf('accepted')).toMatchObject({
      format: 'handover-receipt@2',
      session_id: idOf('accepted'),
      outcome: 'RESOLVED',
      outcome_positive: true,
      offer: {
        handoff_id: 'h1',
        offered_by: 'owner',
        target: 'bob',
        offered_at: entries[1]?.at,
        scope: 'the release',
      },
      frozen: {
        digest: `sha256:${codec.sha256(codec.utf8(JSON.stringify(hashes)))}`,
        contexts: 2,
        late_contexts: 1,
      },
      answer: { by: 'bob', disposition: 'accepted', at: entries[4]?.at, implicit: false },
      commitment: { commitment_id: 'c1', action: 'handoff.accepted', by: 'owner', at: entries[6]?.at },
      holder: 'bob',
      chain: { seq: 7, hash: entries[6]?.hash },
    });
  });

  it('carries the canonical hash of the commitment (RFC-MACP-0013)', async () => {
    const projection = (supersedes: object) =>
      canonicalJson({
        commitment_id: 'c1',
        action: 'handoff.accepted',
        authority_scope: 'release',
        reason: 'bob accepted',
        mode_version: '1.0.0',
        policy_version: '',
        configuration_version: 'config.default',
        outcome_positive: true,
        ...supersedes,
      });
    const hash = (text: string) => `sha256:${codec.sha256(codec.utf8(`macp-commitment-hash/1:${text}`))}`;
    expect((await receiptOf('accepted')).commitment?.hash).toBe(hash(projection({})));
    const supersedes = { session_id: idOf('accepted'), commitment_hash: `sha256:${'ab'.repeat(32)}` };
    expect((await receiptOf('reoffered')).commitment?.hash).toBe(hash(projection({ supersedes })));
  });

  it('leaves that hash out when the payload says more than it covers', async () => {
    const entries = [...(await entriesOf('accepted'))];
    const last = entries.pop() as Entry;
    const unknownField = new Uint8Array([...last.payload, 0x78, 0x01]);
    const made = makeReceipt([...entries, { ...last, payload: unknownField }], codec);
    expect('body' in made && made.body.commitment).toEqual({
      commitment_id: 'c1',
      action: 'handoff.accepted',
      by: 'owner',
      at: last.at,
    });
  });

  it('is of the accepted offer, else of the last, else of the one that is named', async () => {
    expect((await receiptOf('reoffered')).offer).toMatchObject({ handoff_id: 'h2', target: 'carol' });
    const declined = await receiptOf('reoffered', 'h1');
    expect(declined).toMatchObject({
      offer: { target: 'bob' },
      answer: { disposition: 'declined' },
      holder: 'carol',
    });
    expect(await receiptOf('designated')).toMatchObject({
      outcome_positive: false,
      answer: { disposition: 'declined' },
      commitment: { by: 'judge' },
      holder: 'owner',
    });
  });

  it('tells an answer by time-out from one that was given', async () => {
    expect((await receiptOf('implicit-accept')).answer).toMatchObject({
      by: 'bob',
      disposition: 'accepted',
      implicit: true,
    });
    expect((await receiptOf('implicit-decline')).answer).toMatchObject({
      disposition: 'declined',
      implicit: true,
    });
  });

  it(`${verifies('macp-2026:0:own-receipt')}exists for every ending, with or without an answer or an offer`, async () => {
    const expired = await receiptOf('expired');
    expect(expired).toMatchObject({ outcome: 'EXPIRED', holder: 'owner', offer: { target: 'bob' } });
    expect([expired.answer, expired.commitment, expired.outcome_positive]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(await receiptOf('cancelled')).toMatchObject({
      outcome: 'CANCELLED',
      holder: 'owner',
      answer: { by: 'bob' },
    });
    const early = await receiptOf('cancelled-early');
    expect(early).toMatchObject({ tenant: 'other', outcome: 'CANCELLED', frozen: { contexts: 0 } });
    expect(early.offer).toBeUndefined();
    expect(await receiptOf('extension')).toMatchObject({
      outcome: 'RESOLVED',
      mode: 'ext.voting.v1',
      holder: 'owner',
    });
  });

  it('does not exist while the session runs, nor for an offer that was not made', async () => {
    for (const name of ['open', 'suspended'])
      expect(makeReceipt(await entriesOf(name), codec)).toEqual({
        none: `the session is ${name}; a receipt is given when it has ended`,
      });
    expect(makeReceipt(await entriesOf('accepted'), codec, 'h9')).toEqual({
      none: 'the handoff id names no offer of this session',
    });
    expect(makeReceipt([], codec)).toEqual({ none: 'there is no such session' });
  });
});

describe('checking a receipt', () => {
  const verdictOf = (value: Json, keys = known) => {
    const verdict = verifyReceipt(value, { codec, verify, known: keys });
    return verdict.ok ? verdict.signer : `${verdict.flaw.path} ${verdict.flaw.what}`;
  };

  it('tells a known signer from an unknown one', async () => {
    const receipt = await receiptOf('accepted');
    expect(verdictOf(receipt)).toBe('known');
    expect(verdictOf(receipt, [])).toBe('unknown');
    expect(verdictOf(receipt, [receiptSigner(memoryKeyring()).publicKey])).toBe('unknown');
  });

  it('finds any changed, missing or added value', async () => {
    for (const name of ['accepted', 'expired', 'cancelled-early']) {
      const receipt = await receiptOf(name);
      for (const path of leavesOf(receipt)) {
        for (const value of [...otherValues(at(receipt, path)), undefined])
          expect(
            verdictOf(changed(receipt, path, value)),
            `${nameOf(path)} to ${JSON.stringify(value)}`,
          ).toMatch(/ /);
      }
      expect(verdictOf({ ...receipt, extra: 1 })).toBe('extra is unknown');
    }
  });

  it('names a value of the wrong shape by its path', async () => {
    const receipt = await receiptOf('accepted');
    expect(verdictOf(changed(receipt, ['offer', 'offered_at'], 'x'))).toMatch(/^offer.offered_at must be/);
    expect(verdictOf(changed(receipt, ['chain', 'hash'], 'x'))).toMatch(/^chain.hash must be/);
    expect(verdictOf(changed(receipt, ['answer', 'by'], undefined))).toBe('answer.by is missing');
    expect(verdictOf(changed(receipt, ['key_id'], '0'.repeat(16)))).toBe(
      'key_id is not the name of public_key',
    );
    expect(verdictOf(changed(receipt, ['holder'], 'eve'))).toMatch(/^signature does not fit/);
    for (const value of [null, [], 'x', {}]) expect(verdictOf(value)).toMatch(/must be an object|is missing/);
  });

  it('against the log, names each value that differs, even under a good signature', async () => {
    const fromLog = makeReceipt(await entriesOf('accepted'), codec);
    const honest = await receiptOf('accepted');
    expect(compareReceipt(honest, fromLog)).toBeUndefined();
    const { issued_at, key_id, public_key, signature, ...body } = honest;
    for (const path of leavesOf(body)) {
      if (path[0] === 'format') continue;
      for (const value of otherValues(at(body, path))) {
        const lie = changed(honest, path, value) as Receipt;
        expect(compareReceipt(lie, fromLog)?.path, nameOf(path)).toBe(nameOf(path));
      }
    }
    expect(compareReceipt(honest, makeReceipt(await entriesOf('open'), codec))?.what).toMatch(
      /no such receipt/,
    );
  });

  it('needs nothing of ours: sixty lines of node:crypto agree', async () => {
    for (const name of ['accepted', 'reoffered', 'expired', 'extension']) {
      const receipt = await receiptOf(name);
      expect(checkReceipt(JSON.stringify(receipt), signer.publicKey)).toEqual({ valid: true, known: true });
      expect(checkReceipt(JSON.stringify(receipt), receiptSigner(memoryKeyring()).publicKey)).toEqual({
        valid: true,
        known: false,
      });
      for (const path of leavesOf(receipt))
        for (const value of otherValues(at(receipt, path)))
          expect(
            checkReceipt(JSON.stringify(changed(receipt, path, value)), signer.publicKey).valid,
            nameOf(path),
          ).toBe(false);
    }
  });
});
