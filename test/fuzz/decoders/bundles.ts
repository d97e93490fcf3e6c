/** Bundles, session starts and their results, with everything that pages and tools make of them. */
import { readFileSync } from 'node:fs';
import { isFields } from '@handover/core';
import {
  bundleResultFlaw,
  creationData,
  deployedItems,
  deploymentSteps,
  entrySteps,
  isAboutRequest,
  mermaidText,
  processGraph,
  readSteps,
  rulesOfBundle,
  sessionResultFlaw,
  setOstcData,
  validateMultiBundle,
  validateSessionStart,
} from '@handover/evm';
import { decoderTarget } from '../decoder-target.js';
import { type Json, json } from '../values/json.js';
import { mutateJson } from '../values/mutate-json.js';
import type { Random } from '../values/random.js';

const fixture = (name: string): Json =>
  JSON.parse(
    readFileSync(new URL(`../../operations/fixtures/${name}.json`, import.meta.url), 'utf8'),
  ) as Json;
export const [B1, B2, S1] = [fixture('b1'), fixture('b2'), fixture('s1')] as const;
const HANDLE = 'ss_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa';

const BUNDLE_RESULT: Json = {
  handle: HANDLE,
  type: 'xdala_bundle_deploy_result',
  status: 'completed',
  completedAt: '2026-11-15T12:00:00Z',
  inputType: 'multiBundle',
  artifact: B1,
  deployResults: [],
};
const SESSION_RESULT: Json = {
  handle: HANDLE,
  type: 'xdala_session_start_result',
  status: 'completed',
  completedAt: '2026-11-15T12:00:00Z',
  inputType: 'singleSession',
  originalRequest: S1,
  results: [{ ok: true, index: 0, status: 'started', sessionId: '7', owner: `0x${'2'.repeat(40)}` }],
};

const near = (random: Random, right: Json): Json =>
  random.oneIn(12) ? json(random) : random.oneIn(10) ? right : mutateJson(random, right);

export const bundles = decoderTarget({
  name: 'bundles',
  generate: (random) => ({
    bundle: near(random, random.pick([B1, B2])),
    start: near(random, S1),
    bundleResult: near(random, BUNDLE_RESULT),
    sessionResult: near(random, SESSION_RESULT),
  }),
  check(input) {
    const { bundle, start, bundleResult, sessionResult } = input as Record<string, Json>;
    const findings = validateMultiBundle(bundle);
    if (findings.valid !== (findings.errors.length === 0)) return 'a bundle with errors passes for valid';
    if (isFields(bundle)) useBundle(bundle, findings.valid);
    validateSessionStart(start);
    // What is stored was valid; what a page posts about it need not be.
    const flaw = bundleResultFlaw(bundleResult, HANDLE);
    if (flaw === undefined && isFields(bundleResult) && isFields(bundleResult.artifact))
      deployedItems(bundleResult.artifact, B1 as never);
    if (sessionResultFlaw(sessionResult, HANDLE) === undefined && isFields(sessionResult))
      isAboutRequest(sessionResult, S1 as never);
    return undefined;
  },
});

/** Diagrams take any document, since some come from a chain; deployments are made of valid bundles only. */
function useBundle(bundle: Readonly<Record<string, unknown>>, isValid: boolean): void {
  const list = Array.isArray(bundle.bundles) ? (bundle.bundles as unknown[]) : [];
  const items = list.flatMap((one) =>
    isFields(one) && Array.isArray(one.items) ? (one.items as unknown[]) : [],
  );
  const rules = rulesOfBundle(items);
  for (const item of items.slice(0, 20)) {
    entrySteps(readSteps(item).steps);
    mermaidText(processGraph(item, rules), { direction: 'TD' });
  }
  if (!isValid) return;
  for (const step of deploymentSteps(bundle)) {
    creationData('0x00', step);
    setOstcData(step.ostcId ?? '', step.text);
  }
}
