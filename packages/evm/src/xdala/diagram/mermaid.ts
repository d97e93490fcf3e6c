/**
 * The graph as Mermaid text. Every text in it comes from somebody else: it is quoted and escaped so that it can only ever
 * be a label. Comments lose `%`, `{` and `}`: a directive was once parsed out of one.
 */
import { type GraphNode, type ProcessGraph, shortRef } from './graph.js';

export interface MermaidOptions {
  readonly direction?: 'TD' | 'LR';
  readonly includeAddresses?: boolean;
  readonly includeRuleSummary?: boolean;
  readonly includePayloadFields?: boolean;
  readonly includeWarnings?: boolean;
}

export function mermaidText(graph: ProcessGraph, options: MermaidOptions = {}): string {
  const { direction = 'LR', includeWarnings = true } = options;
  const lines = [`flowchart ${direction}`];
  if (includeWarnings)
    for (const { code, message } of graph.warnings) lines.push(`  %% ${comment(`${code}: ${message}`)}`);
  for (const node of graph.nodes)
    lines.push(`  ${node.id}["${nodeLines(node, options).map(label).join('<br/>')}"]`);
  for (const { id, mode, joinId } of graph.joins)
    lines.push(`  ${id}(("join: ${label(mode)}<br/>${label(joinId)}"))`);
  for (const { from, to, label: text } of graph.edges) lines.push(`  ${from} -->|${edgeLabel(text)}| ${to}`);
  return lines.join('\n');
}

function nodeLines(node: GraphNode, options: MermaidOptions): readonly string[] {
  const { includeAddresses = false, includeRuleSummary = true, includePayloadFields = false } = options;
  const { requiredPayload = [], producedPayload = [] } = node;
  return [
    node.label,
    ...(includeRuleSummary && node.ruleRef !== undefined ? [`Rule: ${node.ruleRef}`] : []),
    ...(includeAddresses && node.ruleAddress !== undefined ? [`Address: ${shortRef(node.ruleAddress)}`] : []),
    ...(includePayloadFields && requiredPayload.length > 0
      ? [`Requires: ${requiredPayload.join(', ')}`]
      : []),
    ...(includePayloadFields && producedPayload.length > 0
      ? [`Produces: ${producedPayload.join(', ')}`]
      : []),
  ];
}

function label(text: string): string {
  return escaped(text).replace(/\r\n?|\n/g, '<br/>');
}

/** Plain words stay as they are; anything that could be grammar is quoted. */
function edgeLabel(text: string): string {
  const flat = text.replace(/[\r\n]+/g, ' ').replace(/\|/g, '/');
  return /^[A-Za-z0-9 _/:-]+$/.test(flat) && !/^end$/i.test(flat) ? flat : `"${escaped(flat)}"`;
}

function escaped(text: string): string {
  return text
    .replace(/[^\P{Cc}\n\r]/gu, ' ')
    .replace(/&/g, '&amp;')
    .replace(/"/g, '&quot;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/%%/g, '%&#8203;%');
}

function comment(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').replace(/[%{}<>]/g, '');
}
