/** XDaLa tools that only read: contracts on the chain, diagrams of processes, schemas, and checks of documents. */
import type { JsonObject } from '@handover/core';
import { validateMultiBundle } from '@handover/evm';
import { z } from 'zod';
import { Scope } from '../../../../auth/scopes.js';
import type { DiagramArguments } from '../../../../services/operations/chain-reads.js';
import { CheckedBundle } from '../../../../services/operations/families/bundle-deploy/check.js';
import type { Operations } from '../../../../services/operations/operations.js';
import { freeObject } from '../../json-argument.js';
import { READS, type Tool } from '../../tool.js';
import { address, chainId, operationTool, text } from './define.js';
import { INSPECT_FIRST, OWNERSHIP, TERMINOLOGY } from './guidance.js';
import { MULTI_BUNDLE_SCHEMA, SESSION_START_SCHEMA } from './schemas.js';

const READS_CHAIN = { ...READS, openWorldHint: true };
const scope = Scope.HANDOFF_READ;
const onChain = chainId.describe('Which of the configured chains; default: the default one.').exactOptional();
const flag = (fallback: boolean, description: string) =>
  z
    .boolean()
    .describe(`${description} Default ${String(fallback)}.`)
    .exactOptional();

const diagramInput = z.strictObject({
  source: z.enum(['runtime', 'bundle', 'bundle_handoff']).describe('Where the process is read from.'),
  xrc729Address: address('runtime: the contract.').exactOptional(),
  ostcId: text('runtime: the orchestration in it.').exactOptional(),
  bundle: freeObject('bundle: an xgr-multi-bundle@1.').exactOptional(),
  handle: text('bundle_handoff: the bd_ handle of one of yours.').exactOptional(),
  chainId: onChain,
  direction: z.enum(['TD', 'LR']).describe('Default LR.').exactOptional(),
  includeRules: flag(true, 'Look into the rules.'),
  includeAddresses: flag(false, 'Show addresses of rules.'),
  includeRuleSummary: flag(true, 'Show the name of each rule.'),
  includePayloadFields: flag(false, 'Show what each step needs and produces.'),
  includeWarnings: flag(true, 'Put warnings into the text as comments.'),
});
type DiagramArgs = z.infer<typeof diagramInput>;

const ostcInput = z.strictObject({
  xrc729Address: address('The XRC-729 contract.'),
  ostcId: text('The orchestration.'),
  chainId: onChain,
});
const ruleInput = z.strictObject({ xrc137Address: address('The XRC-137 contract.'), chainId: onChain });
const authorityInput = z.strictObject({ orchestration: address('The XRC-729 contract.'), chainId: onChain });
const bundleInput = z.strictObject({ bundle: freeObject('The bundle to look at.') });
const requestInput = z.strictObject({
  request: freeObject('The request to look at.'),
  chainId: chainId
    .describe('As create would be given it: warnings say whether that chain is read.')
    .exactOptional(),
});
const nothing = z.strictObject({});

export function xdalaTools({ chain }: Operations): readonly Tool[] {
  const answer = (value: object) => Promise.resolve({ value: value as JsonObject });
  return [
    operationTool<DiagramArgs>({
      name: 'get_xdala_process_mermaid',
      title: 'Draw a process',
      description:
        'A process as Mermaid text with its nodes and edges: from a deployed XRC-729 (runtime), a bundle, or a stored handoff (source="bundle_handoff" and the handle). Expired handoffs are not drawn.',
      scope,
      hints: READS_CHAIN,
      input: diagramInput,
      run: (args, { principal }) => chain.diagram(principal, args as DiagramArguments),
    }),
    operationTool<z.infer<typeof ostcInput>>({
      name: 'read_xrc729_ostc_json',
      title: 'Read an orchestration',
      description: 'The JSON text of one orchestration exactly as an XRC-729 contract stores it.',
      scope,
      hints: READS_CHAIN,
      input: ostcInput,
      run: ({ xrc729Address, ostcId, chainId: id }, { principal }) =>
        chain.ostcText(principal, xrc729Address, ostcId, id),
    }),
    operationTool<z.infer<typeof ruleInput>>({
      name: 'read_xrc137_rule_json',
      title: 'Read a rule',
      description:
        'The JSON text of a rule exactly as an XRC-137 contract stores it. Fields of its payload without a default are required inputs of the step.',
      scope,
      hints: READS_CHAIN,
      input: ruleInput,
      run: ({ xrc137Address, chainId: id }, { principal }) => chain.ruleText(principal, xrc137Address, id),
    }),
    operationTool<z.infer<typeof authorityInput>>({
      name: 'get_xrc729_authority',
      title: 'Who may start sessions',
      description: `Owner and executors of an XRC-729 contract, read from the chain. ${OWNERSHIP}`,
      scope,
      hints: READS_CHAIN,
      input: authorityInput,
      run: ({ orchestration, chainId: id }, { principal }) => chain.authority(principal, orchestration, id),
    }),
    operationTool<z.infer<typeof ostcInput>>({
      name: 'resolve_xrc729_process_graph',
      title: 'Inspect a deployed process',
      description: `Steps, rules, likely entry steps, required and optional payload fields of a deployed XRC-729 workflow. ${INSPECT_FIRST}`,
      scope,
      hints: READS_CHAIN,
      input: ostcInput,
      run: ({ xrc729Address, ostcId, chainId: id }, { principal }) =>
        chain.processGraph(principal, xrc729Address, ostcId, id),
    }),
    operationTool<z.infer<typeof bundleInput>>({
      name: 'validate_xgr_multibundle',
      title: 'Validate a bundle',
      description:
        'Whether a bundle is a valid xgr-multi-bundle@1: {valid, errors, warnings} with codes and paths, at most 100 of each; omitted counts the rest. An invalid one is an answer, not a failure.',
      scope,
      hints: READS,
      input: bundleInput,
      large: 'bundle',
      run: ({ bundle }) =>
        answer(bundle instanceof CheckedBundle ? bundle.check.findings : validateMultiBundle(bundle)),
    }),
    operationTool<z.infer<typeof requestInput>>({
      name: 'validate_xgr_session_start_handoff',
      title: 'Validate a session start',
      description: `Whether a request, with a handle or, as for source direct, without one, is a valid xgr-session-start@1: {valid, errors, warnings}; the warnings are those that create would give (CHAIN_NOT_READ: nothing is read from the chain). ${TERMINOLOGY}`,
      scope,
      hints: READS_CHAIN,
      input: requestInput,
      run: ({ request, chainId: id }, { principal }) => chain.checkSessionStart(principal, request, id),
    }),
    operationTool<object>({
      name: 'get_xgr_multibundle_schema',
      title: 'Schema of bundles',
      description:
        'JSON Schema 2020-12 of xgr-multi-bundle@1. validate_xgr_multibundle checks more: references and flow.',
      scope,
      hints: READS,
      input: nothing,
      run: () => answer(MULTI_BUNDLE_SCHEMA),
    }),
    operationTool<object>({
      name: 'get_xgr_session_start_schema',
      title: 'Schema of session starts',
      description: `JSON Schema 2020-12 of xgr-session-start@1. ${TERMINOLOGY}`,
      scope,
      hints: READS,
      input: nothing,
      run: () => answer(SESSION_START_SCHEMA),
    }),
  ];
}
