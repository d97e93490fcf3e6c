/** review:H7 and review:H8 through the tools and the pages: what holds a key or a misplaced secret is stored nowhere. */
import { describe, expect, it } from 'vitest';
import { B1, O1, S1 } from './support/examples.js';
import { secretIn, useWorld, type Wire } from './support/world.js';

const world = await useWorld();
const PHRASE = 'test test test test test test test test test test test junk';
const HASH = `0x${'4f'.repeat(32)}`;

const { handle: _handle, ...request } = S1();
const session = (payload: object) => ({
  source: 'direct',
  network: 'testnet',
  chainId: 1879,
  request: { ...request, sessions: [{ ...request.sessions[0], payload }] },
});
const operation = (over: object) => ({ ...O1(), ...over });
const bundle = (over: object) => ({ network: 'testnet', chainId: 1879, bundle: B1(), ...over });

async function refused(tool: string, args: object): Promise<Wire> {
  const before = await world.store.position();
  const { data, isError } = await world.tool('alice', tool, args);
  expect(isError).toBe(true);
  expect(await world.store.position()).toBe(before);
  expect(JSON.stringify(data)).not.toContain('junk');
  return data;
}

const keyRefusal = (path: string) => ({
  errorCode: 'VALIDATION_ERROR',
  details: { errors: [{ code: 'SENSITIVE_FIELD_REJECTED', path }] },
});

describe('review:H8 the phrase of the test chain', () => {
  it.each<[string, string, object, string]>([
    ['title', 'create_operation_handoff', operation({ summary: { title: PHRASE } }), 'summary.title'],
    ['label', 'create_operation_handoff', operation({ steps: [{ label: PHRASE }] }), 'steps.0.label'],
    ['payload', 'create_operation_handoff', operation({ payload: { a: [{ b: PHRASE }] } }), 'payload.a.0.b'],
    ['type', 'create_operation_handoff', operation({ type: PHRASE }), 'type'],
    [
      'list of objects',
      'create_operation_handoff',
      operation({ payload: PHRASE.split(' ').map((word) => ({ word })) }),
      'payload',
    ],
    [
      'title with unseen characters',
      'create_operation_handoff',
      operation({ summary: { title: PHRASE.replaceAll('t', '\u200dt') } }),
      'summary.title',
    ],
    ['summary', 'create_xdala_bundle_deploy_handoff', bundle({ summary: { why: PHRASE } }), 'summary.why'],
    [
      'claimed validation',
      'create_xdala_bundle_deploy_handoff',
      bundle({ validation: { a: PHRASE } }),
      'validation.a',
    ],
    [
      'payload of a session',
      'create_xdala_session_start_handoff',
      session({ Note: PHRASE }),
      'request.sessions.0.payload.Note',
    ],
    [
      'secret of a session',
      'create_xdala_session_start_handoff',
      session({ __secret: PHRASE }),
      'request.sessions.0.payload.__secret',
    ],
  ])('review:H8 in a %s', async (_, tool, args, path) => {
    expect(await refused(tool, args)).toMatchObject(keyRefusal(path));
  });

  it('review:H8 as names of fields: the answer names none of them', async () => {
    const phrase = 'absurd ignore skate hedgehog ceiling purchase place spare mountain unhappy pupil market';
    const payload = Object.fromEntries(phrase.split(' ').map((word, i) => [word, i]));
    const data = await refused('create_operation_handoff', operation({ payload }));
    expect(JSON.stringify(data)).not.toContain('hedgehog');
    expect(data).toMatchObject(keyRefusal('payload'));
  });

  it('review:H8 a digest as key of a retry is none', async () => {
    const args = operation({ idempotencyKey: '4f'.repeat(32) });
    expect((await world.tool('alice', 'create_operation_handoff', args)).isError).toBeFalsy();
  });

  it('review:H8 in a rule of a bundle', async () => {
    const changed = B1();
    changed.bundles[0].items[1].onValid.payload.Note = `'${PHRASE}'`;
    const { details } = await refused('create_xdala_bundle_deploy_handoff', bundle({ bundle: changed }));
    expect(details.errors[0]).toMatchObject({
      code: 'SENSITIVE_FIELD_REJECTED',
      path: 'bundle.bundles.0.items.1.onValid.payload.Note',
    });
  });

  it('review:H8 in the error text of a page', async () => {
    const { data } = await world.tool('alice', 'create_operation_handoff', O1());
    const [secret, path] = [secretIn(data.operationUrl), `/api/operations/${data.id}`];
    const [step] = data.steps;
    await world.api(`${path}/status`, { secret, body: { status: 'tx_requested', stepId: step.id } });
    const before = await world.store.position();
    const body = { status: 'failed', stepId: step.id, answer: 'unclear', error: `wallet: ${PHRASE}` };
    const answer = await world.api(`${path}/status`, { secret, body });
    expect(answer.status).toBe(400);
    expect(answer.json.message).toMatch(/^SENSITIVE_FIELD_REJECTED: error: /);
    expect(answer.text).not.toContain('junk');
    expect(await world.store.position()).toBe(before);
  });

  it('review:H8 in a result', async () => {
    const { data } = await world.tool('alice', 'create_xdala_session_start_handoff', session({ A: '1' }));
    const result = {
      handle: data.handle,
      type: 'xdala_session_start_result',
      status: 'failed',
      completedAt: '2026-11-15T12:00:00Z',
      inputType: 'singleSession',
      originalRequest: { ...request, handle: data.handle, mode: 'single', sessions: data.request.sessions },
      results: [{ ok: false, index: 0, status: 'failed', stage: 'start', error: PHRASE }],
    };
    const { orchestration, ostcId, stepId, payload, maxTotalGas } = data.request.sessions[0];
    result.originalRequest.sessions = [{ orchestration, ostcId, stepId, payload, maxTotalGas }];
    const path = `/api/session-start/${data.handle}/result`;
    const answer = await world.api(path, { secret: secretIn(data.xdalaUrl), body: result });
    expect(answer.json).toMatchObject({
      message: expect.stringContaining('results.0.error: it holds words'),
    });
  });

  it('review:H8 is counted, by rule', async () => {
    const text = await (await fetch(new URL('/metrics', world.server.httpUrl))).text();
    expect(Number(/handover_keys_refused_total\{rule="phrase"\} (\d+)/.exec(text)?.[1])).toBeGreaterThan(8);
    expect(text).toContain('handover_keys_refused_total{rule="pem"} 0');
  });
});

it('review:H8 a transaction hash in payload.reference is taken', async () => {
  const { data } = await world.tool(
    'alice',
    'create_operation_handoff',
    operation({ payload: { reference: HASH } }),
  );
  expect(data.payload).toEqual({ reference: HASH });
});

it('review:H8 (e) sixty-four digits that are called a key are refused', async () => {
  const args = operation({ payload: { note: `private key ${HASH}` } });
  expect(await refused('create_operation_handoff', args)).toMatchObject(keyRefusal('payload.note'));
});

describe('review:H7 secrets of sessions', () => {
  it.each(['__secret', '__secret1', '__secret9999'])(
    'review:H7 %s at the top of a payload is taken, and redacted',
    async (name) => {
      const { data } = await world.tool(
        'alice',
        'create_xdala_session_start_handoff',
        session({ [name]: 'token' }),
      );
      expect(data.request.sessions[0].payload).toEqual({ [name]: '[redacted]' });
      const shown = await world.api(`/api/session-start/${data.handle}`, { secret: secretIn(data.xdalaUrl) });
      expect(shown.json.request.sessions[0].payload).toEqual({ [name]: 'token' });
    },
  );

  it.each<[string, object]>([
    ['__secretKey', { __secretKey: 'x' }],
    ['__SECRET', { __SECRET: 'x' }],
    ['__secret12345', { __secret12345: 'x' }],
    ['a.__secret', { a: { __secret: 'x' } }],
    ['a.0.__secret1', { a: [{ __secret1: 'x' }] }],
  ])('review:H7 %s is refused with its path', async (place, payload) => {
    const { details } = await refused('create_xdala_session_start_handoff', session(payload));
    expect(details.errors).toMatchObject([
      {
        code: 'SECRET_INVALID',
        path: `sessions.0.payload.${place}`,
        message:
          'name it __secret, __secret1, … at the top of a payload: under other names or deeper the network would log it',
      },
    ]);
  });

  it.each<[string, unknown]>([
    ['no text', 5],
    ['empty', ''],
    ['too long', 'x'.repeat(513)],
    ['a control character', 'a\nb'],
  ])('review:H7 a value that is %s is refused', async (_, value) => {
    const { details } = await refused('create_xdala_session_start_handoff', session({ __secret: value }));
    expect(details.errors).toMatchObject([{ code: 'SECRET_INVALID', path: 'sessions.0.payload.__secret' }]);
  });

  it.each<[string, object, string]>([
    [
      'create_operation_handoff',
      operation({ payload: { deep: { __secret: 'x' } } }),
      'payload.deep.__secret',
    ],
    ['create_operation_handoff', operation({ summary: { __Secret2: 'x' } }), 'summary.__Secret2'],
    ['create_xdala_bundle_deploy_handoff', bundle({ summary: { __secret: 'x' } }), 'summary.__secret'],
    [
      'create_xdala_session_start_handoff',
      { ...session({}), request: { ...session({}).request, summary: { __secret: 'x' } } },
      'summary.__secret',
    ],
  ])('review:H7 none in %s elsewhere', async (tool, args, path) => {
    const { details } = await refused(tool, args);
    expect(details.errors).toMatchObject([{ code: 'SECRET_INVALID', path }]);
  });
});
