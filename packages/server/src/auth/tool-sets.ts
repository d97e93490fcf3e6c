/**
 * The sets of MCP tools, by name, in the order in which they are listed, and what somebody needs for each. On one's own
 * machine a connection has the scopes of the sets that it names.
 */
import { Scope } from './scopes.js';

const HANDOFF_SCOPES = [Scope.HANDOFF_READ, Scope.HANDOFF_WRITE, Scope.HANDOFF_OFFER, Scope.HANDOFF_ACCEPT];

const SCOPES = {
  handoff: HANDOFF_SCOPES,
  lifecycle: HANDOFF_SCOPES,
  admin: [Scope.HANDOFF_ADMIN],
  operations: [Scope.OPERATION_CREATE],
  xdala: [Scope.OPERATION_CREATE],
} as const satisfies Readonly<Record<string, readonly Scope[]>>;

export type ToolSetName = keyof typeof SCOPES;

export const TOOL_SETS = Object.keys(SCOPES) as readonly ToolSetName[];

/** Of `handover mcp`: every tool of an assistant, and on one's own machine one is the administrator. */
export const STDIO_TOOL_SETS: ReadonlySet<ToolSetName> = new Set(['handoff', 'admin']);

export const isToolSet = (name: unknown): name is ToolSetName => TOOL_SETS.some((known) => known === name);

/** `a,b`; what is wrong with it when it names an unknown set, or none. */
export function readToolSets(text: string): ReadonlySet<ToolSetName> | string {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  const rule = `tool sets are ${TOOL_SETS.join(', ')}, separated by commas`;
  if (names.length === 0) return `no tool set is named; ${rule}`;
  if (!names.every(isToolSet)) return `an unknown tool set is named; ${rule}`;
  return new Set(names);
}

export const scopesOfSets = (sets: Iterable<ToolSetName>): ReadonlySet<string> =>
  new Set([...sets].flatMap((set) => SCOPES[set]));

/** The first set that brings the scope. */
export const setWithScope = (scope: string): ToolSetName | undefined =>
  TOOL_SETS.find((set) => SCOPES[set].some((held) => held === scope));
