import { atOnce, Family, FaultCode, type JsonObject, OperationStatus, RejectionCode } from '@handover/core';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { B1, B2, type Loose } from '../../../../../test/operations/support/examples.js';
import { nodeCodec } from '../../platform/node-codec.js';
import { derive } from '../operations/derivations.js';
import { LARGE_DOCUMENT } from '../operations/document.js';
import { checkBundle } from '../operations/families/bundle-deploy/check.js';
import type { MessageOutput } from './job-types.js';
import { LargeWork } from './large-work.js';

const BAD_WORKER = new URL('../../../../../test/kit/workers/bad-worker.mjs', import.meta.url);
const LIMITS = { depth: 1_000, values: 200_000, bytes: 4_194_304 };
const PLAIN = { depth: 1_000, values: 100, bytes: 2_000 };
const TOOLS = { check: 'bundle' };
const large = new LargeWork();
afterAll(() => large.close());

const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
const call = (args: object, name = 'check') => ({
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
});

async function split(message: unknown): Promise<MessageOutput> {
  const outcome = await large.message('alice', {
    bytes: bytes(message),
    limits: LIMITS,
    plain: PLAIN,
    tools: TOOLS,
  });
  if ('rejection' in outcome) throw new Error(outcome.rejection.message);
  return outcome.value;
}

/** A valid bundle with a few things changed at random: most become invalid in one way or another. */
const bundle: fc.Arbitrary<Loose> = fc
  .tuple(
    fc.constantFrom(B1, B2),
    fc.array(fc.tuple(fc.nat(), fc.jsonValue({ maxDepth: 2 })), { maxLength: 3 }),
    fc.boolean(),
  )
  .map(([example, changes, keep]) => {
    const made = example();
    if (keep) return made;
    const items = made.bundles[0].items as Loose[];
    for (const [at, value] of changes) {
      const item = items[at % items.length] as Loose;
      const keys = Object.keys(item);
      item[keys[at % keys.length] ?? 'id'] = value;
    }
    return made;
  });

describe('the thread for large documents', () => {
  it('finds out about a bundle exactly what the main thread would', async () => {
    let valid = 0;
    await fc.assert(
      fc.asyncProperty(
        bundle,
        fc.option(fc.integer({ min: 1, max: 9_999 }), { nil: undefined }),
        async (one, chainId) => {
          const output = await split(call({ bundle: one, ...(chainId !== undefined && { chainId }) }));
          if (output.kind !== 'split') throw new Error(output.kind);
          const { json, ...expected } = atOnce(
            checkBundle(JSON.parse(JSON.stringify(one)), chainId, nodeCodec),
          );
          expect(output.check).toEqual(expected);
          expect(output.json && Buffer.from(output.json).toString()).toBe(
            json && Buffer.from(json).toString(),
          );
          expect(JSON.parse(output.rest)).toEqual(call(chainId === undefined ? {} : { chainId }));
          if (json) valid += 1;
        },
      ),
      { numRuns: 150 },
    );
    expect(valid).toBeGreaterThan(0);
  });

  it('shows a record exactly as the main thread would', async () => {
    const state = { id: 'bd_1', family: Family.BundleDeploy, status: OperationStatus.Opened, steps: [] };
    const context = { state, common: { digest: 'd' }, events: [{ type: 'created' }], full: true };
    const parameters = { family: Family.BundleDeploy, context } as never;
    const created = { network: 'testnet', summary: { title: 'é' }, bundle: B1() } as JsonObject;
    const seen = await large.derive('alice', {
      name: 'viewJson',
      parameters,
      created: bytes(created),
      limits: LARGE_DOCUMENT,
    });
    expect('value' in seen && Buffer.from(seen.value).toString()).toBe(
      Buffer.from(derive('viewJson', { created }, parameters)).toString(),
    );
  });

  it('gives back what has no large argument, and refuses what is too much for the main thread', async () => {
    const message = call({ text: 'x' }, 'other');
    const output = await split(message);
    expect(output.kind === 'plain' && JSON.parse(Buffer.from(output.bytes).toString())).toEqual(message);
    for (const args of [{ text: 'x'.repeat(2_000) }, { list: Array(200).fill(0) }])
      expect(await split(call(args, 'other'))).toMatchObject({ kind: 'refused' });
    expect(await split(call({ bundle: B1(), summary: 'x'.repeat(2_000) }))).toMatchObject({
      kind: 'refused',
    });
    expect(await split(call({ bundle: 'no object' }))).toMatchObject({ kind: 'plain' });
    expect(await split([])).toMatchObject({ kind: 'plain' });
  });

  it('does not take bytes away that somebody else may hold', async () => {
    const created = bytes({ steps: [{ txRequest: { to: '0x' } }] });
    const input = {
      name: 'transactionRequest',
      parameters: { index: 0 },
      created,
      limits: LARGE_DOCUMENT,
    } as const;
    expect(await large.derive('alice', input)).toEqual({ value: { to: '0x' } });
    expect(created.length).toBeGreaterThan(0);
  });
});

describe('a thread that fails', () => {
  const empty = () => ({ bytes: bytes({}), limits: LIMITS, plain: PLAIN, tools: {} });
  const ENDLESS = new URL('data:text/javascript,for(;;);');

  it('is the sender’s error when a document is too heavy, and a fault when it crashed', async () => {
    const slow = new LargeWork({ entry: ENDLESS, timeMs: 300 });
    const outcome = await slow.message('a', empty());
    expect(outcome).toMatchObject({ rejection: { code: RejectionCode.PAYLOAD_TOO_LARGE } });
    await slow.close();
    const broken = new LargeWork({ entry: BAD_WORKER });
    const asked = broken.message('a', empty());
    await expect(asked).rejects.toMatchObject({ code: FaultCode.INTERNAL });
    await broken.close();
  });

  it('refuses more than may wait, as a server that is busy', async () => {
    const slow = new LargeWork({ entry: ENDLESS, timeMs: 60_000 });
    const asked = Array.from({ length: 6 }, () =>
      slow.message('a', empty()).then(
        () => 'answered',
        (fault: { code: string }) => fault.code,
      ),
    );
    const [, , , , , sixth] = asked;
    expect(await sixth).toBe(FaultCode.OVERLOADED);
    await slow.close();
    expect(await Promise.all(asked)).toContain(FaultCode.SHUTTING_DOWN);
  });
});
