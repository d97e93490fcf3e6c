/** The published JSON Schema and core's guard say the same of every set of rules. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { handoffMode, type JsonObject, readHandoffRules, utf8Length } from '../../index.js';

const schema = JSON.parse(
  readFileSync(new URL(`../../../../../${handoffMode.rulesSchema}`, import.meta.url), 'utf8'),
);
const ajv = new Ajv2020({ unicodeRegExp: true, strict: true, allowUnionTypes: true });
// JSON Schema counts characters; ids are bounded in bytes.
ajv.addKeyword({
  keyword: 'x-max-utf8-bytes',
  type: 'string',
  validate: (max: number, text: string) => utf8Length(text) <= max,
});
const bySchema = ajv.compile(schema);
const byGuard = (rules: JsonObject) => 'rules' in readHandoffRules(rules);

/** Mostly right, often nearly right: that is where two readings part. */
const odd = fc.oneof(
  fc.constantFrom(null, true, -1, 1.5, '', '5', 2 ** 53, {}, []),
  fc.integer(),
  fc.string(),
);
const mixed = <T>(right: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: right }, { weight: 1, arbitrary: odd });
const ms = mixed(fc.constantFrom(0, 1, 1_000, 9_007_199_254_740_991));
const id = fc.oneof(
  fc.constantFrom('a', 'owner', 'é'.repeat(128), 'é'.repeat(129), 'a\u0000b', 'tab\t', ' '),
  fc.string(),
);
const block = <T extends Record<string, fc.Arbitrary<unknown>>>(fields: T) =>
  mixed(
    fc
      .record({ ...fields, unknown: fc.constant(1) }, { requiredKeys: [] })
      .chain((value) => fc.constant(value)),
  );
const known = <T extends Record<string, fc.Arbitrary<unknown>>>(fields: T) =>
  mixed(fc.record(fields, { requiredKeys: [] }));
const acceptance = { implicit_accept_timeout_ms: ms, _note: odd };
const commitment = {
  authority: mixed(fc.constantFrom('initiator_only', 'any_participant', 'designated_role')),
  designated_roles: mixed(fc.array(id, { maxLength: 3 })),
  $note: odd,
};
const audit = { level: mixed(fc.constantFrom('debug', 'info', 'warn', 'error')), _note: odd };
const own = {
  implicit_decline_timeout_ms: ms,
  allow_no_target: mixed(fc.boolean()),
  audit: known(audit),
  _note: odd,
};
const rules = fc.record(
  {
    acceptance: fc.oneof(known(acceptance), block(acceptance)),
    commitment: fc.oneof(known(commitment), block(commitment)),
    'x-handover.rules': fc.oneof(known(own), block(own)),
    _note: odd,
    $schema: odd,
  },
  { requiredKeys: [] },
) as unknown as fc.Arbitrary<JsonObject>;

describe('the published schema of Handoff rules', () => {
  it('agrees with the guard on every set of rules', () => {
    let [yes, no] = [0, 0];
    fc.assert(
      fc.property(rules, (value) => {
        const verdict = byGuard(value);
        if (verdict) yes++;
        else no++;
        expect(bySchema(value), JSON.stringify(value)).toBe(verdict);
      }),
      { numRuns: 5_000 },
    );
    // Both answers must have been common, or the comparison showed little.
    expect(Math.min(yes, no)).toBeGreaterThan(200);
  });
});
