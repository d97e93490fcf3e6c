/** The tools that the door offers, by name, with their descriptions. The table is made once. */
import type { Tool as ToolDescription } from '@modelcontextprotocol/server';
import type { Principal } from '../../auth/principal.js';
import { isToolSet, type ToolSetName } from '../../auth/tool-sets.js';
import { publishedSchema } from './published-schema.js';
import type { Tool, ToolSet } from './tool.js';

interface SetsOfConnection {
  readonly toolsets?: ReadonlySet<string>;
}

export interface ToolTable {
  find(name: string): Tool | undefined;
  /** The set that it belongs to. */
  setOf(name: string): ToolSetName | undefined;
  /** Those with an argument that may be large, with its name. */
  readonly large: Readonly<Record<string, string>>;
  /**
   * In a fixed order: of the sets of the connection, and without those for which the caller lacks the scope. Whatever is
   * not listed can still be called by name: there the scope alone decides.
   */
  listFor(principal: Principal, connection: SetsOfConnection): readonly ToolDescription[];
}

export function createToolTable(sets: readonly ToolSet[]): ToolTable {
  const rows = sets.flatMap(({ name: set, tools }) =>
    tools.map((tool) => ({ set, tool, description: describe(tool) })),
  );
  const byName = new Map(rows.map(({ tool }) => [tool.name, tool]));
  const setByName = new Map(rows.map(({ set, tool }) => [tool.name, isToolSet(set) ? set : undefined]));
  if (byName.size !== rows.length) throw new Error('two tools have the same name');
  return {
    find: (name) => byName.get(name),
    setOf: (name) => setByName.get(name),
    large: Object.fromEntries(rows.flatMap(({ tool }) => (tool.large ? [[tool.name, tool.large]] : []))),
    listFor: ({ scopes }, { toolsets }) =>
      rows
        .filter(({ set, tool }) => (toolsets?.has(set) ?? true) && scopes.has(tool.scope))
        .map(({ description }) => description),
  };
}

function describe({ name, title, description, input, output, hints }: Tool): ToolDescription {
  return {
    name,
    title,
    description,
    inputSchema: publishedSchema(input) as ToolDescription['inputSchema'],
    outputSchema: publishedSchema(output) as NonNullable<ToolDescription['outputSchema']>,
    annotations: hints,
  };
}
