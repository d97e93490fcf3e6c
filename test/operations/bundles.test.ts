/** Every bundle of docs/spec/operations.md 10.1 and its mutations, as docs/decisions amends them. */
import { validateMultiBundle } from '@handover/evm';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { MULTI_BUNDLE_SCHEMA } from '../../packages/server/src/doors/mcp/tools/operations/schemas.js';
import { B1, B2, changed } from './support/examples.js';

// biome-ignore lint/suspicious/noExplicitAny: examples are mutated freely
type Loose = any;
const flow = (b: Loose) => b.bundles[0].items[0];
const rule = (b: Loose) => b.bundles[0].items[1];
const join = (b: Loose) => flow(b).structure.Intake.onValid.join;
const copy = (value: Loose) => JSON.parse(JSON.stringify(value));

interface Case {
  readonly name: string;
  readonly bundle: Loose;
  readonly errors: readonly string[];
  readonly warnings?: readonly string[];
  readonly paths?: readonly string[];
}

const b1 = (name: string, change: (b: Loose) => void, errors: string[], more: Partial<Case> = {}): Case => ({
  name,
  bundle: changed(B1(), change),
  errors,
  ...more,
});
const b2 = (name: string, change: (b: Loose) => void, errors: string[], more: Partial<Case> = {}): Case => ({
  name,
  bundle: changed(B2(), change),
  errors,
  ...more,
});
const UNUSED = { warnings: ['XRC137_ITEM_UNUSED'] };

const CASES: readonly Case[] = [
  b1('B1', () => {}, []),
  b2('B2', () => {}, []),
  b2('B3', (b) => Object.assign(b, { kind: 'x', version: 1 }), ['ROOT_FIELD_INVALID', 'ROOT_FIELD_INVALID'], {
    paths: ['.kind', '.version'],
  }),
  b2('B4 missing', (b) => delete b.createdAt, ['CREATED_AT_INVALID']),
  b2('B4 a date alone', (b) => Object.assign(b, { createdAt: '2026-06-07' }), ['CREATED_AT_INVALID']),
  b2('B5', (b) => Object.assign(b, { bundles: [] }), ['BUNDLES_REQUIRED']),
  b2('B6', (b) => b.bundles[0].items.push(copy(flow(b))), ['XRC729_COUNT_INVALID']),
  b2(
    'B7',
    (b) => Object.assign(flow(b).structure.S1, { rule: 'cm:R1' }),
    ['XRC729_STEP_RULE_INVALID'],
    UNUSED,
  ),
  b2(
    'B8',
    (b) => Object.assign(flow(b).structure.S1, { rule: 'cm:xrc137:R2' }),
    ['PLACEHOLDER_ALIAS_UNRESOLVED'],
    UNUSED,
  ),
  b2(
    'B9',
    (b) => {
      flow(b).structure.S1.rule = 'cm:xrc137:R';
      rule(b).address = 'cm:xrc137:R';
      rule(b).meta.alias = 'R';
    },
    ['XRC729_STEP_RULE_INVALID', 'XRC137_META_ALIAS_INVALID', 'XRC137_ADDRESS_INVALID'],
  ),
  b2('B10', (b) => Object.assign(flow(b), { ostcId: 'x' }), ['XRC729_FIELD_INVALID']),
  b2('B11', (b) => Object.assign(rule(b), { bundleId: 'bX' }), ['XRC137_BUNDLE_ID_MISMATCH']),
  b2('B12', (b) => Object.assign(rule(b), { payload: { A: { type: 'string', required: true } } }), [
    'XRC137_PAYLOAD_FIELD_KEY_INVALID',
    'XRC137_PAYLOAD_REQUIRED_INVALID',
  ]),
  b2('B13', (b) => Object.assign(rule(b), { payload: { A: { type: 'number', value: 'x' } } }), [
    'XRC137_PAYLOAD_FIELD_KEY_INVALID',
    'XRC137_PAYLOAD_TYPE_INVALID',
  ]),
  b1('B14', (b) => Object.assign(join(b), { mode: { k: 2 } }), ['XRC729_JOIN_MODE_INVALID']),
  b1('B15', (b) => Object.assign(join(b), { mode: { kofn: 3 } }), ['XRC729_JOIN_MODE_INVALID'], {
    paths: ['bundles.0.items.0.structure.Intake.onValid.join.mode.kofn'],
  }),
  b2('B16', (b) => Object.assign(flow(b).structure.S1, { onValid: { spawns: ['Nope'] } }), [
    'XRC729_SPAWN_TARGET_UNKNOWN',
  ]),
  b2('B17', (b) => Object.assign(flow(b).structure.S1, { onValid: { spawns: ['S1'] } }), [], {
    warnings: ['XRC729_SELF_SPAWN_RETRY_LOOP'],
  }),
  b1('B18', (b) => delete rule(b).onValid.payload.Amount, ['XRC137_REQUIRED_INPUT_NOT_PROVIDED'], {
    paths: ['bundles.0.items.0.structure.Budget.rule'],
  }),
  b1('B19', (b) => delete join(b).from, Array(3).fill('XRC137_REQUIRED_INPUT_NOT_PROVIDED'), {
    paths: Array(3).fill('bundles.0.items.0.structure.Approve.rule'),
  }),
  b1(
    'B20',
    (b) => {
      const spec = b.bundles[0].items[3].apiCalls[0].extractMap.SupplierOk;
      spec.expr = spec.value;
      delete spec.value;
    },
    ['XRC137_EXTRACT_SPEC_FIELD_INVALID', 'XRC137_EXTRACT_SPEC_VALUE_MISSING'],
  ),
  b2(
    'B21 as amended',
    (b) => Object.assign(rule(b), { onValid: { grants: [{ address: `0x${'1'.repeat(40)}`, rights: 3 }] } }),
    [],
  ),
  b2(
    'B21 beyond',
    (b) => Object.assign(rule(b), { onValid: { grants: [{ address: `0x${'1'.repeat(40)}`, rights: 8 }] } }),
    ['XRC137_GRANT_RIGHTS_INVALID'],
  ),
  b2('B22', (b) => Object.assign(rule(b), { contractReads: [{ to: '[A]', function: 'f()', saveAs: 'X' }] }), [
    'XRC137_CONTRACTREAD_SAVEAS_LEGACY_STRING',
  ]),
  b2('B23', (b) => Object.assign(rule(b), { onValid: { payload: { A: { type: 'string' } } } }), [
    'XRC137_BRANCH_PAYLOAD_SCHEMA_INVALID',
  ]),
  b2(
    'B24 as amended',
    (b) =>
      Object.assign(rule(b), {
        onValid: { wakeUps: [{ runner: '[Owner]', sessionId: 7, stepId: 'Elsewhere' }] },
      }),
    [],
    { warnings: ['XRC137_WAKEUP_STEP_ID_INVALID'] },
  ),
  b2('B25 as amended', (b) => b.bundles[0].items.push(copy(rule(b))), ['XRC137_ALIAS_DUPLICATE']),
  b2(
    'B26',
    (b) => {
      const extra = copy(rule(b));
      Object.assign(extra, { id: 'R9', address: 'cm:xrc137:R9' });
      extra.meta.alias = 'R9';
      b.bundles[0].items.push(extra);
    },
    [],
    UNUSED,
  ),
  b2(
    'B27',
    (b) => {
      flow(b).structure['9x'] = flow(b).structure.S1;
      delete flow(b).structure.S1;
    },
    ['XRC729_STEP_ID_INVALID'],
  ),
  b2('two bundles of one id', (b) => b.bundles.push(copy(b.bundles[0])), ['BUNDLE_ID_DUPLICATE']),
  b2(
    'a rule beyond the limits',
    (b) => Object.assign(rule(b), { rules: Array(65).fill('true') }),
    ['LIMIT_EXCEEDED'],
    {
      paths: ['bundles.0.items.1.rules'],
    },
  ),
  b2('key material', (b) => Object.assign(rule(b), { onValid: { payload: { Private_Key: 'x' } } }), [
    'SENSITIVE_FIELD_REJECTED',
  ]),
];

describe('bundles of docs/spec/operations.md 10.1', () => {
  it.each(CASES)('$name', ({ bundle, errors, warnings = [], paths }) => {
    const found = validateMultiBundle(bundle);
    expect(found.errors.map(({ code }) => code).sort()).toEqual([...errors].sort());
    expect(found.warnings.map(({ code }) => code)).toEqual(warnings);
    if (paths) expect(found.errors.map(({ path }) => path)).toEqual(paths);
    expect(found.valid).toBe(errors.length === 0);
  });

  it('any JSON value gets an answer', () => {
    for (const value of [
      null,
      1,
      'x',
      [],
      {},
      { bundles: [null] },
      { bundles: [{ items: [1, { meta: 1 }] }] },
    ])
      expect(validateMultiBundle(value).valid).toBe(false);
  });

  it('the published schema takes the valid ones', () => {
    const validate = new Ajv2020({ strict: false }).compile(MULTI_BUNDLE_SCHEMA);
    for (const bundle of [B1(), B2()]) expect(validate(bundle), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...B2(), kind: 1 })).toBe(false);
  });
});
