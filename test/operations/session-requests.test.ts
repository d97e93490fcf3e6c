/** Every session-start request of docs/spec/operations.md 10.2 that a validator can judge. */
import { sessionResultFlaw, validateSessionStart } from '@handover/evm';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { SESSION_START_SCHEMA } from '../../packages/server/src/doors/mcp/tools/operations/schemas.js';
import { changed, R1, S1 } from './support/examples.js';

// biome-ignore lint/suspicious/noExplicitAny: examples are mutated freely
type Loose = any;
const codes = (request: unknown) => validateSessionStart(request).errors.map(({ code }) => code);
const s1 = (change: (s: Loose) => void) => codes(changed(S1(), change));
const session = (s: Loose) => s.sessions[0];

describe('requests of docs/spec/operations.md 10.2', () => {
  it('S1 is valid, and the published schema takes it', () => {
    expect(codes(S1())).toEqual([]);
    const validate = new Ajv2020({ strict: false }).compile(SESSION_START_SCHEMA);
    expect(validate(S1()), JSON.stringify(validate.errors)).toBe(true);
  });

  it.each<[string, (s: Loose) => void, string[]]>([
    ['S2', (s) => delete s.handle, []],
    ['S2 (another id)', (s) => (s.handle = 'op_1'), ['HANDLE_INVALID']],
    ['S3', (s) => Object.assign(s, { entryStepId: 'Intake' }), ['ADDITIONAL_PROPERTY']],
    ['S4 as amended', (s) => Object.assign(session(s), { entryStepId: 'Intake' }), ['ADDITIONAL_PROPERTY']],
    ['S5', (s) => delete session(s).stepId, ['STEP_ID_INVALID']],
    ['S6 text', (s) => Object.assign(session(s), { maxTotalGas: '0' }), ['MAX_GAS_INVALID']],
    ['S6 negative', (s) => Object.assign(session(s), { maxTotalGas: -1 }), ['MAX_GAS_INVALID']],
    ['S6 missing', (s) => delete session(s).maxTotalGas, ['MAX_GAS_INVALID']],
    ['S7 none', (s) => Object.assign(s, { sessions: [] }), ['SESSIONS_INVALID']],
    ['S7 too many', (s) => Object.assign(s, { sessions: Array(101).fill(session(s)) }), ['SESSIONS_INVALID']],
    ['S8', (s) => Object.assign(session(s).payload, { __wakeup: {} }), ['LEGACY_WAKEUP_INVALID']],
    ['S9', (s) => Object.assign(session(s).payload, { __secret: '' }), ['SECRET_INVALID']],
    ['S10', (s) => Object.assign(s, { signing: { privateKey: 'x' } }), ['SENSITIVE_FIELD_REJECTED']],
    ['S11 as amended', (s) => Object.assign(session(s).payload, { buildingPermitNo: '7' }), []],
    ['S12', (s) => Object.assign(s, { execution: { sessionConcurrency: 2 } }), ['CONCURRENCY_INVALID']],
    ['S13', (s) => Object.assign(s, { chain: { rpcPolicy: 'x' } }), ['RPC_POLICY_INVALID']],
    ['S14', (s) => Object.assign(s, { security: { redactSecretsInLogs: false } }), ['REDACTION_INVALID']],
    ['S15', (s) => Object.assign(session(s), { ostcHash: '0x12' }), ['OSTC_HASH_INVALID']],
    [
      'a signature outside a payload',
      (s) => Object.assign(s, { ui: { Signature: 'x' } }),
      ['SENSITIVE_FIELD_REJECTED'],
    ],
    ['a signature inside a payload', (s) => Object.assign(session(s).payload, { signature: 'x' }), []],
    [
      'a phrase inside a payload',
      (s) => Object.assign(session(s).payload, { 'seed-phrase': 'x' }),
      ['SENSITIVE_FIELD_REJECTED'],
    ],
  ])('%s', (_name, change, expected) => {
    expect(s1(change)).toEqual(expected);
  });

  it('paths name the place', () => {
    const [issue] = validateSessionStart(changed(S1(), (s) => delete session(s).stepId)).errors;
    expect(issue?.path).toBe('sessions.0.stepId');
  });
});

describe('results of docs/spec/operations.md 10.2', () => {
  const handle = S1().handle;
  const flaw = (change: (r: Loose) => void) => sessionResultFlaw(changed(R1(handle), change), handle);

  it('R1 is taken', () => {
    expect(flaw(() => {})).toBeUndefined();
  });

  it.each<[string, (r: Loose) => void]>([
    ['extra top-level key', (r) => Object.assign(r, { extra: 1 })],
    ['results of another length', (r) => r.results.push(r.results[0])],
    ['numeric sessionId', (r) => Object.assign(r.results[0], { sessionId: 17 })],
    [
      'failed entry without error',
      (r) => {
        r.status = 'failed';
        r.results = [{ ok: false, status: 'failed', stage: 'start' }];
      },
    ],
    ['chain.rpcPolicy', (r) => Object.assign(r.originalRequest, { chain: { rpcPolicy: 'x' } })],
    [
      'a secret that is not redacted',
      (r) => Object.assign(r.originalRequest.sessions[0].payload, { __secret: 'x' }),
    ],
    [
      'completed without a success',
      (r) => {
        r.results = [{ ok: false, status: 'failed', stage: 'start', error: 'no' }];
      },
    ],
    ['another handle', (r) => Object.assign(r, { handle: `${handle}x` })],
  ])('refused: %s', (_name, change) => {
    expect(flaw(change)).toBeTypeOf('string');
  });

  it('an optional pid and a redacted secret are taken', () => {
    expect(flaw((r) => Object.assign(r.results[0], { pid: '17:1' }))).toBeUndefined();
    expect(
      flaw((r) => Object.assign(r.originalRequest.sessions[0].payload, { __secret: '[redacted]' })),
    ).toBeUndefined();
  });
});
