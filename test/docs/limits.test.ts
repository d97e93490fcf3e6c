/** docs/running/limits.md is written from the tables: `npx vitest run test/docs/limits.test.ts -u`. */
import { MAX_SESSIONS, MAX_STEPS } from '@handover/evm';
import { expect, it } from 'vitest';
import { MAX_POLICY_RULES_BYTES } from '../../packages/core/src/policy/descriptor.js';
import { type FixedLimit, fixedLimits } from '../../packages/server/src/config/fixed-limits.js';
import { settings } from '../../packages/server/src/config/settings.js';
import { limitsPage } from './limits-page.js';

/** Whole numbers that bound nothing, and what they are instead. */
const NOT_LIMITS: Readonly<Record<string, string>> = {
  MCP_HTTP_PORT: 'a place',
  MACP_CLEANUP_INTERVAL_SECS: 'how often something is done',
  MCP_OPERATION_DEFAULT_TTL_SECONDS: 'what is taken when nothing is asked for',
  MCP_BUNDLE_DEPLOY_DEFAULT_TTL_SECONDS: 'what is taken when nothing is asked for',
  MCP_SESSION_START_DEFAULT_TTL_SECONDS: 'what is taken when nothing is asked for',
};

it('the page shows the tables', async () => {
  await expect(limitsPage()).toMatchFileSnapshot('../../docs/running/limits.md');
});

it('every whole number among the settings says what happens beyond it, or bounds nothing', () => {
  const silent = settings.filter((setting) => setting.kind === 'integer' && !('beyond' in setting));
  expect(silent.map(({ name }) => name).sort()).toEqual(Object.keys(NOT_LIMITS).sort());
});

it('every limit says what it bounds, and what happens beyond it', () => {
  const rows = Object.entries<FixedLimit>(fixedLimits);
  expect(rows.length).toBeGreaterThan(30);
  for (const [name, { what, value, beyond }] of rows) {
    expect([what.length > 5, beyond.length > 2, Number.isSafeInteger(value) && value > 0], name).toEqual([
      true,
      true,
      true,
    ]);
  }
});

it('limits of packages that the server’s settings cannot import are what those packages say', () => {
  expect([
    fixedLimits.policyRulesBytes.value,
    fixedLimits.operationSteps.value,
    fixedLimits.sessionStarts.value,
  ]).toEqual([MAX_POLICY_RULES_BYTES, MAX_STEPS, MAX_SESSIONS]);
});
