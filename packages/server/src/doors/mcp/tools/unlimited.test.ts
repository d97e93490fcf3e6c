/** The tools that no rate refuses are exactly those that the table of quotas calls answers. */
import { expect, it } from 'vitest';
import { RateBucket } from '../../../auth/rate-limiter.js';
import { HANDOFF_QUOTAS } from '../../../services/quotas.js';
import type { ToolSet } from '../tool.js';
import { handoffToolSets } from './index.js';
import { operationToolSets } from './operations/index.js';

/** A tool looks at what it depends on when it runs, not when it is made. */
const NOTHING = {} as never;
const unlimited = ({ tools }: ToolSet) =>
  tools
    .filter((tool) => tool.unlimited)
    .map(({ name }) => name)
    .sort();

it('accept, decline, commit and cancel of handoffs', () => {
  const answers = Object.entries(HANDOFF_QUOTAS).filter(([, bucket]) => bucket === RateBucket.ANSWER);
  expect(handoffToolSets(NOTHING).flatMap(unlimited).sort()).toEqual(answers.map(([name]) => name).sort());
});

it('cancel of operations', () => {
  expect(operationToolSets(NOTHING).flatMap(unlimited).sort()).toEqual([
    'cancel_operation_handoff',
    'cancel_xdala_bundle_deploy_handoff',
    'cancel_xdala_session_start_handoff',
  ]);
});
