import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../log/json.js';
import { RulesRev } from '../../policy/rules-rev.js';
import { eraseMode } from '../erase-mode.js';
import {
  authorityFields,
  expectAgreement,
  mixed,
  rulesBlock,
  words,
  yesNo,
} from '../rules-agreement.test.helper.js';
import { rulesFlaws } from '../rules-flaws.js';
import { handoffMode } from './handoff-mode.js';
import { HANDOFF_MODE } from './messages.js';
import { readHandoffRules, readRecordedHandoffRules } from './policy-rules.js';

const ms = mixed(fc.constantFrom(0, 1, 1_000, 9_007_199_254_740_991));

describe('the rules of Handoff Mode', () => {
  it('macp-2026:6.3 are read as their published schema says', () => {
    expectAgreement(eraseMode(handoffMode), {
      acceptance: rulesBlock({ implicit_accept_timeout_ms: ms }),
      commitment: rulesBlock(authorityFields),
      'x-handover.rules': rulesBlock({
        implicit_decline_timeout_ms: ms,
        allow_no_target: yesNo,
        audit: rulesBlock({ level: words('debug', 'info', 'warn', 'error') }),
      }),
    });
  });

  it.each<[string, JsonObject, JsonObject]>([
    [
      'implicit_decline_timeout_ms',
      { acceptance: { implicit_decline_timeout_ms: 5 } },
      { 'x-handover.rules': { implicit_decline_timeout_ms: 5 } },
    ],
    [
      'allow_no_target',
      { commitment: { allow_no_target: true } },
      { 'x-handover.rules': { allow_no_target: true } },
    ],
    ['audit', { audit: { level: 'warn' } }, { 'x-handover.rules': { audit: { level: 'warn' } } }],
  ])('macp-2026:6:vendor-key %s has moved; recorded policies are read where it was', (key, older, now) => {
    const flaws = rulesFlaws({ mode: HANDOFF_MODE, schemaVersion: 1, rules: older }, RulesRev.Newest);
    expect(flaws).toContainEqual(expect.stringContaining(`x-handover.rules.${key}`));
    const read = readRecordedHandoffRules(older);
    expect(read).toHaveProperty('rules');
    expect(read).toEqual(readHandoffRules(now));
    expect(readRecordedHandoffRules(now)).toEqual(read);
  });
});
