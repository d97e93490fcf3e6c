/** The context package as it really travels: against its JSON Schema, its digest, and the log it speaks of. */
import { readFileSync } from 'node:fs';
import {
  type Brief,
  canonicalJson,
  handoffPayloads,
  type JsonObject,
  PACKAGE_CONTENT_TYPE,
  type ReadPackage,
  RequestType,
  readPackage,
} from '@handover/core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nodeCodec as codec } from '../../packages/server/src/platform/node-codec.js';
import { worklogRef } from '../../packages/server/src/services/handoffs/worklogs.js';
import { ok } from '../kit/outcomes.js';
import { alice, bob } from '../kit/principals.js';
import { history } from './macp.js';
import { createWorld, type World } from './world.js';

const schema = new URL('../../schemas/json/handover-package.schema.json', import.meta.url);
const validate = new Ajv2020({ allErrors: true }).compile(JSON.parse(readFileSync(schema, 'utf8')) as object);

async function handOver(world: World, entries: readonly JsonObject[], requestData: JsonObject = {}) {
  await ok(world.handoffs.registerSession(alice, { sessionKey: 'k', agentFrom: 'alice' }));
  for (const metadata of entries)
    await ok(
      world.handoffs.updateContext(alice, { sessionKey: 'k', contextType: 'file', content: 'c', metadata }),
    );
  const requestType = RequestType.FullHandoff;
  return ok(
    world.handoffs.requestHandoff(alice, { sessionKey: 'k', targetAgent: 'bob', requestType, requestData }),
  );
}

/** The bytes that a MACP client receives. */
async function crossed(world: World, sessionId: string): Promise<Uint8Array> {
  const entry = (await history(world, sessionId)).find(({ type }) => type === 'HandoffContext');
  const context = entry && codec.decode(handoffPayloads.HandoffContext, entry.payload);
  expect(context?.contentType).toBe(PACKAGE_CONTENT_TYPE);
  return context?.context ?? new Uint8Array(0);
}

function briefIn(handed: ReadPackage | null): Brief {
  if (!handed || !('brief' in handed)) throw new Error('a package of the version before');
  return handed.brief;
}

describe('the package', () => {
  it('crosses as canonical JSON whose digest anybody can compute', async () => {
    const world = createWorld();
    const view = await handOver(world, [{ note: { goal: 'Ship', next: 'Test' } }, { note: 'decision' }], {
      instructions: 'Continue',
      priority: 'normal',
      weight: 0.5,
      list: [null, 'é', '\ud83d\ude00'],
    });
    const bytes = await crossed(world, view.macpSessionId);
    const { digest, ...rest } = JSON.parse(codec.text(bytes) ?? '') as JsonObject;
    expect(codec.text(bytes)).toBe(canonicalJson({ ...rest, digest: digest ?? '' }));
    expect(digest).toBe(`sha256:${codec.sha256(codec.utf8(canonicalJson(rest)))}`);
    expect(view.packageDigest).toBe(digest);
    const { package: handed, entries } = await ok(
      world.handoffs.getPackage(bob, { handoffId: view.handoffId }),
    );
    expect(handed).toEqual({ ...rest, digest });
    expect(briefIn(handed).text.split('\n').slice(2)).toEqual([
      ...['## Goal', '- Ship [1]', '## Next', '- Test [1]', '## Decisions', '- c [2]'],
    ]);
    expect(view).toMatchObject({ reason: 'Continue', scope: 'full_handoff of k' });
    expect(entries).toHaveLength(2);
    const worklog = await world.store.read(worklogRef('default', 'k'), 0, { entries: 10, bytes: 1e6 });
    expect(handed?.manifest).toMatchObject({
      firstSequence: 1,
      lastSequence: 2,
      entries: 2,
      counts: { file: 2 },
      headHash: worklog.find(({ facts }) => facts.n === 2)?.hash,
    });
  });

  it('is no longer one when a byte of it changes', async () => {
    const world = createWorld();
    const { macpSessionId } = await handOver(world, [{ note: { goal: 'Ship' } }]);
    const text = codec.text(await crossed(world, macpSessionId)) ?? '';
    expect(readPackage(codec.utf8(text), codec)).toBeDefined();
    for (const changed of [text.replace('Ship', 'Sink'), text.slice(1), '[]', '', text.replace('@2', '@1')])
      expect(readPackage(codec.utf8(changed), codec)).toBeUndefined();
  });

  it('assistants:B5 of the version before is still read, and only with its digest', () => {
    const summary = { text: 'of 0.1.0', goal: ['Ship'], tokens: 2, tokenBudget: 2_000, omitted: {} };
    const old = { version: 'handover-package@1', handoffId: 's:h1', sessionKey: 'k', summary };
    const digest = `sha256:${codec.sha256(codec.utf8(canonicalJson(old)))}`;
    const bytes = (value: JsonObject) => codec.utf8(canonicalJson(value));
    expect(readPackage(bytes({ ...old, digest }), codec)).toMatchObject({ summary: { goal: ['Ship'] } });
    expect(readPackage(bytes({ ...old, sessionKey: 'x', digest }), codec)).toBeUndefined();
  });

  it('keeps to the budget that is configured', async () => {
    const world = createWorld(undefined, { HANDOVER_PACKAGE_TOKEN_BUDGET: '400' });
    const notes = Array.from({ length: 200 }, (_, i) => ({ note: { done: `finished step number ${i}` } }));
    const { handoffId } = await handOver(world, notes);
    const { package: handed } = await ok(world.handoffs.getPackage(bob, { handoffId }));
    const brief = briefIn(handed);
    expect(brief).toMatchObject({ tokenBudget: 400, omitted: { done: expect.any(Number) } });
    expect(brief.tokens).toBeLessThanOrEqual(400);
    expect(brief.text).toContain('- finished step number 199 [200]\n## Left out');
  });

  it('fits its published schema, whatever was noted', async () => {
    const aNote = fc.record(
      {
        note: fc.oneof(
          fc.jsonValue(),
          fc.dictionary(fc.constantFrom('goal', 'done', 'file', 'open'), fc.string()),
        ),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(aNote, { maxLength: 8 }),
        fc.dictionary(fc.string(), fc.jsonValue()),
        async (notes, data) => {
          const world = createWorld();
          const view = await handOver(world, notes as readonly JsonObject[], data as JsonObject);
          const handed = readPackage(await crossed(world, view.macpSessionId), codec);
          expect(validate(handed), JSON.stringify(validate.errors)).toBe(true);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('is refused by the schema when something is missing or strange', async () => {
    const world = createWorld();
    const { macpSessionId } = await handOver(world, []);
    const handed = readPackage(await crossed(world, macpSessionId), codec);
    expect(validate(handed)).toBe(true);
    expect(validate({ ...handed, extra: 1 })).toBe(false);
    expect(validate({ ...handed, digest: 'sha256:0' })).toBe(false);
    expect(validate({ ...handed, requestType: 'gift' })).toBe(false);
  });
});

describe('a brief that is asked for', () => {
  it('covers what the caller may read, and has a digest', async () => {
    const world = createWorld();
    const { handoffId } = await handOver(world, [{ note: { open: 'one' } }]);
    await ok(world.handoffs.acceptHandoff(bob, { handoffId }));
    await ok(world.handoffs.commitHandoff(alice, { handoffId }));
    const metadata = { note: { open: 'two' } };
    await ok(
      world.handoffs.updateContext(bob, { sessionKey: 'k', contextType: 'message', content: '', metadata }),
    );
    expect((await ok(world.handoffs.summarize(alice, 'k'))).text).toMatch(/## Open\n- one \[1 by alice\]$/);
    const { digest, generatedAt, text } = await ok(world.handoffs.summarize(bob, 'k'));
    expect(text).toMatch(/## Open\n- one \[1 by alice\]\n- two \[2\]$/);
    expect(digest).toBe(`sha256:${codec.sha256(codec.utf8(text))}`);
    expect(generatedAt).toBe(world.clock.now);
  });
});
