/** Nodes and edges of a process: what the tool returns beside its text, and what the page draws. */

import { type Fields, isText, keysOf, listOf, member } from '@handover/core';
import { isAddress } from '../../shapes.js';
import { handedOn, requiredInputs } from '../payload-flow.js';
import { type DiagramBranch, type DiagramStep, type DiagramWarning, readSteps } from './steps.js';

export interface GraphNode {
  /** Safe as a Mermaid id. */
  readonly id: string;
  readonly label: string;
  readonly ruleRef?: string;
  readonly ruleAddress?: string;
  readonly requiredPayload?: readonly string[];
  readonly producedPayload?: readonly string[];
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly branch: 'onValid' | 'onInvalid' | 'join' | 'wakeUp';
  readonly label: string;
}

export interface JoinNode {
  readonly id: string;
  readonly mode: string;
  readonly joinId: string;
}

export interface ProcessGraph {
  readonly nodes: readonly GraphNode[];
  readonly joins: readonly JoinNode[];
  readonly edges: readonly GraphEdge[];
  readonly warnings: readonly DiagramWarning[];
}

/** The XRC-137 document behind a step's rule, when it is at hand. */
export type RuleLookup = (rule: string) => Fields | undefined;

export function processGraph(document: unknown, ruleOf: RuleLookup): ProcessGraph {
  const { steps, warnings: read } = readSteps(document);
  const warnings = [...read];
  const ids = new NodeIds();
  const byStep = new Map(steps.map(({ id }) => [id, ids.give(id)]));
  const nodes = steps.map((step) => nodeOf(step, byStep.get(step.id) ?? step.id, ruleOf, warnings));
  const joins: JoinNode[] = [];
  const edges: GraphEdge[] = [];
  // An unknown target gets one node, however many edges lead to it.
  const target = (step: string): string => {
    const known = byStep.get(step);
    if (known !== undefined) return known;
    warnings.push({ code: 'UNKNOWN_STEP_TARGET', message: `${step} is no step of this structure` });
    const id = ids.give(step);
    byStep.set(step, id);
    nodes.push({ id, label: step });
    return id;
  };
  for (const step of steps) {
    const from = byStep.get(step.id) ?? step.id;
    for (const branch of ['onValid', 'onInvalid'] as const)
      branchEdges({ step, from, branch, moves: step[branch], target, joins, edges, ids });
    wakeUps(step, from, ruleOf, byStep, edges);
  }
  return { nodes, joins, edges, warnings };
}

function branchEdges(parts: {
  readonly step: DiagramStep;
  readonly from: string;
  readonly branch: 'onValid' | 'onInvalid';
  readonly moves: DiagramBranch;
  readonly target: (step: string) => string;
  readonly joins: JoinNode[];
  readonly edges: GraphEdge[];
  readonly ids: NodeIds;
}): void {
  const { step, from, branch, moves, target, joins, edges, ids } = parts;
  for (const spawn of moves.spawns) edges.push({ from, to: target(spawn), branch, label: branch });
  const { join } = moves;
  if (!join) return;
  const id = ids.give(`__join_${joins.length + 1}_${step.id}_${branch}`);
  joins.push({ id, mode: join.mode, joinId: join.joinId });
  for (const { node, when } of join.from)
    edges.push({ from: target(node), to: id, branch: 'join', label: when });
  if (join.from.length === 0) edges.push({ from, to: id, branch, label: branch });
  edges.push({ from: id, to: target(join.joinId), branch: 'join', label: 'join' });
}

function wakeUps(
  { rule, id }: DiagramStep,
  from: string,
  ruleOf: RuleLookup,
  byStep: ReadonlyMap<string, string>,
  edges: GraphEdge[],
): void {
  const document = rule === undefined ? undefined : ruleOf(rule);
  for (const branch of ['onValid', 'onInvalid'])
    for (const wakeUp of listOf(member(document?.[branch], 'wakeUps'))) {
      const stepId = member(wakeUp, 'stepId');
      const to = typeof stepId === 'string' ? byStep.get(stepId) : undefined;
      if (to !== undefined && stepId !== id) edges.push({ from, to, branch: 'wakeUp', label: 'wakeUp' });
    }
}

function nodeOf(step: DiagramStep, id: string, ruleOf: RuleLookup, warnings: DiagramWarning[]): GraphNode {
  const { rule } = step;
  if (rule === undefined) {
    warnings.push({ code: 'UNRESOLVED_RULE', message: `${step.id} has no rule` });
    return { id, label: step.id };
  }
  const document = ruleOf(rule);
  if (!document)
    warnings.push({ code: 'RULE_SUMMARY_UNAVAILABLE', message: `the rule of ${step.id} is not at hand` });
  const address = isAddress(rule) ? rule : [document?.address].find(isAddress);
  return {
    id,
    label: step.id,
    ruleRef: (document && aliasOfRule(document)) ?? shortRef(rule),
    ...(address !== undefined && { ruleAddress: address }),
    ...(document && {
      requiredPayload: [...requiredInputs(document)].sort(),
      producedPayload: [
        ...new Set([...handedOn(document, 'onValid'), ...handedOn(document, 'onInvalid')]),
      ].sort(),
    }),
  };
}

function aliasOfRule(rule: Fields): string | undefined {
  return [member(rule.meta, 'alias'), rule.alias, rule.name, rule.contractId, rule.id].find(isText);
}

export function shortRef(text: string): string {
  // The annotation keeps the guard from narrowing `text` to never.
  const address: boolean = isAddress(text);
  if (address) return `${text.slice(0, 6)}...${text.slice(-4)}`;
  return text.length > 48 ? `${text.slice(0, 48)}…` : text;
}

/** Words of Mermaid's own grammar: as the id of a node they end or change the diagram. */
const RESERVED = new Set([
  'end',
  'graph',
  'flowchart',
  'subgraph',
  'style',
  'linkstyle',
  'class',
  'classdef',
  'click',
  'default',
  'call',
  'href',
]);

class NodeIds {
  readonly #given = new Set<string>();
  /** Where the search for a free number goes on, so that many steps of one name cost no more than others. */
  readonly #next = new Map<string, number>();

  give(text: string): string {
    let id = text.replace(/[^A-Za-z0-9_]/g, '_') || 'node';
    if (/^[0-9]/.test(id)) id = `n_${id}`;
    if (RESERVED.has(id.toLowerCase())) id = `n_${id}`;
    let free = id;
    let n = this.#next.get(id) ?? 2;
    for (; this.#given.has(free); n++) free = `${id}_${n}`;
    this.#next.set(id, n);
    this.#given.add(free);
    return free;
  }
}

/** The rule documents of a bundle, by placeholder and by address, case aside. */
export function rulesOfBundle(items: readonly unknown[]): RuleLookup {
  const rules = new Map<string, Fields>();
  for (const item of items) {
    if (typeof item !== 'object' || item === null || keysOf(member(item, 'payload')) === undefined) continue;
    const alias = member(member(item, 'meta'), 'alias');
    if (isText(alias)) rules.set(`cm:xrc137:${alias}`, item as Fields);
    const addresses = [member(item, 'address'), member(member(item, 'meta'), 'deployedAddress')];
    for (const address of addresses) if (isAddress(address)) rules.set(address.toLowerCase(), item as Fields);
  }
  return (rule) => rules.get(rule) ?? rules.get(rule.toLowerCase());
}
