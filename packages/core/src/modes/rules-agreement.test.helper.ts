/** Holds the published JSON Schema of a mode's rules equal to its reader, on rules that are mostly or nearly right. */
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect } from 'vitest';
import type { JsonObject } from '../log/json.js';
import { RulesRev } from '../policy/rules-rev.js';
import { utf8Length } from '../text.js';
import type { AnyMode } from './erase-mode.js';
import { rulesFlaws } from './rules-flaws.js';

type Arb = fc.Arbitrary<unknown>;

const odd = fc.oneof(
  fc.constantFrom(null, true, -1, 0, 1.5, '', '5', 2 ** 53, {}, []),
  fc.integer(),
  fc.double({ min: -1, max: 2, noNaN: true }),
);
export const mixed = (right: Arb): Arb =>
  fc.oneof({ weight: 12, arbitrary: right }, { weight: 1, arbitrary: odd });
export const words = (...all: readonly string[]): Arb => mixed(fc.constantFrom(...all));
export const yesNo = mixed(fc.boolean());

/** Each key may be missing; notes and unknown keys turn up now and then. */
export function rulesBlock(fields: Record<string, Arb>): Arb {
  const known = fc.record(fields, { requiredKeys: [] });
  const noted = fc.record({ ...fields, _note: odd, $why: odd }, { requiredKeys: [] });
  const unknown = fc.record({ ...fields, unknown: odd }, { requiredKeys: [] });
  return mixed(
    fc.oneof(
      { weight: 6, arbitrary: known },
      { weight: 3, arbitrary: noted },
      { weight: 1, arbitrary: unknown },
    ),
  );
}

const id = fc.oneof(fc.constantFrom('a', 'owner', 'é'.repeat(128), 'é'.repeat(129), 'a\u0000b'), fc.string());

export const authorityFields: Record<string, Arb> = {
  authority: words('initiator_only', 'any_participant', 'designated_role'),
  designated_roles: mixed(fc.array(id, { maxLength: 2 })),
};

export function expectAgreement(mode: AnyMode, blocks: Record<string, Arb>): void {
  const file = new URL(`../../../../${mode.rulesSchema}`, import.meta.url);
  const ajv = new Ajv2020({ unicodeRegExp: true, strict: true, strictRequired: false, strictTypes: false });
  // JSON Schema counts characters; ids are bounded in bytes.
  const validate = (max: number, text: string) => utf8Length(text) <= max;
  ajv.addKeyword({ keyword: 'x-max-utf8-bytes', type: 'string', validate });
  const bySchema = ajv.compile(JSON.parse(readFileSync(file, 'utf8')));
  let [yes, no] = [0, 0];
  fc.assert(
    fc.property(rulesBlock(blocks), (value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
      const policy = { mode: mode.descriptor.mode, schemaVersion: 3, rules: value as JsonObject };
      const flaws = rulesFlaws(policy, RulesRev.Newest);
      if (flaws.length === 0) yes++;
      else no++;
      expect(bySchema(value), `${JSON.stringify(value)}: ${flaws.join('; ')}`).toBe(flaws.length === 0);
    }),
    { numRuns: 4_000 },
  );
  // Both answers must have been common, or the comparison showed little.
  expect(Math.min(yes, no)).toBeGreaterThan(200);
}
