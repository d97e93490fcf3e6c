/** Each sentence of seed 004 that agents must read stands in the description of the tool it concerns. */
import { expect, it } from 'vitest';
import { connectHttp } from '../kit/mcp-clients.js';
import { openWorld, useWorld } from './support/world.js';

const world = await useWorld();
const client = await connectHttp(new URL('/mcp', world.server.httpUrl), 'alice');
const { tools } = await client.listTools();
const instructions = client.getInstructions();
const descriptionOf = (name: string) => tools.find((tool) => tool.name === name)?.description ?? '';

const TOOLS = [
  'create_operation_handoff',
  'get_operation_status',
  'cancel_operation_handoff',
  'list_recent_operations',
  'wait_for_operation',
  'get_operation_receipt',
  'create_xdala_bundle_deploy_handoff',
  'get_xdala_bundle_deploy_handoff',
  'get_xdala_bundle_deploy_result',
  'cancel_xdala_bundle_deploy_handoff',
  'create_xdala_session_start_handoff',
  'get_xdala_session_start_handoff',
  'get_xdala_session_start_result',
  'cancel_xdala_session_start_handoff',
  'get_xdala_process_mermaid',
  'validate_xgr_multibundle',
  'validate_xgr_session_start_handoff',
  'get_xgr_multibundle_schema',
  'get_xgr_session_start_schema',
  'read_xrc729_ostc_json',
  'read_xrc137_rule_json',
  'get_xrc729_authority',
  'resolve_xrc729_process_graph',
];

it('all tools are offered, and their results have one form', async () => {
  for (const name of TOOLS) expect(descriptionOf(name), name).not.toBe('');
  for (const { name, outputSchema } of tools.filter((tool) => TOOLS.includes(tool.name)))
    expect(Object.keys(outputSchema?.properties ?? {}), name).toEqual(['data']);
  await client.close();
});

it('review:H1 the instructions speak of operations where they are offered, and only there', async () => {
  const other = await openWorld({ env: { HANDOVER_TOOLSETS: 'handoff' } });
  const without = await connectHttp(new URL('/mcp', other.server.httpUrl), 'alice');
  expect(instructions).toContain('wait_for_operation until settled');
  expect(without.getInstructions()).not.toContain('operation');
  await without.close();
  await other.close();
});

const SESSION = 'create_xdala_session_start_handoff';

it.each([
  ['create_operation_handoff', 'Use it for general local-wallet transactions.'],
  ['create_operation_handoff', 'Do not use it to start, run, or queue XDaLa sessions — route those to'],
  [
    SESSION,
    'This is the path for any start / run / launch / execute / queue of a session — whether from a deployed XRC-729 workflow, a runtime orchestration, or a bundle-deploy result.',
  ],
  [
    SESSION,
    'Canonical request terminology: sessions[].orchestration, sessions[].ostcId, sessions[].stepId, sessions[].payload, sessions[].maxTotalGas.',
  ],
  [SESSION, 'Do not use entryStepId — it is not the Workbench Session Start field.'],
  [
    SESSION,
    "Before creating a session-start handoff for a deployed XRC-729 workflow: inspect the runtime, identify ostcId and the likely entry step, resolve that step's XRC-137 rule, derive required payload fields from the XRC-137 payload schema (fields with defaults are optional), and present required + optional fields to the user.",
  ],
  [
    SESSION,
    'Do not call the tool with guessed payload values; ask for values or explicit permission to use demo values first.',
  ],
  [
    SESSION,
    'Always show the returned xdalaUrl to the user — never replace it with a generic /operations/op_... link.',
  ],
  ['create_xdala_bundle_deploy_handoff', 'the deploy path for a complete XRC-729/XRC-137 process bundle'],
  ['get_xdala_process_mermaid', 'source="bundle_handoff" and the handle'],
])('%s says: %s', (tool, sentence) => {
  expect(descriptionOf(tool)).toContain(sentence);
});
