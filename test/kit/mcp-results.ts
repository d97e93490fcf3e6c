/**
 * The rules that hold for every result of every tool, checked on each one that a client of these tests gets: one block of
 * text; a success also as structured content that fits the published schema; a failure as text alone.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { createToolTable, type ToolTable } from '../../packages/server/src/doors/mcp/tool-table.js';
import type { HandoffToolDependencies } from '../../packages/server/src/doors/mcp/tools/dependencies.js';
import { handoffToolSets } from '../../packages/server/src/doors/mcp/tools/index.js';
import { operationToolSets } from '../../packages/server/src/doors/mcp/tools/operations/index.js';
import type { Operations } from '../../packages/server/src/services/operations/operations.js';
import { plainConnection } from './connections.js';
import { admin } from './principals.js';

interface Result {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** All tools as the door describes them; they have no services and cannot be called. */
export function describedTools(): ToolTable {
  const none = {} as unknown;
  return createToolTable([
    ...handoffToolSets(none as HandoffToolDependencies),
    ...operationToolSets(none as Operations),
  ]);
}

/** The value in the text block, which must be the only one. */
export function valueIn(result: unknown): unknown {
  const { content } = result as Result;
  if (content.length !== 1 || content[0]?.type !== 'text') throw new Error('not one text block');
  return JSON.parse(content[0].text);
}

const validators = new Map<string, ValidateFunction>();

function validatorOf(name: string): ValidateFunction {
  if (validators.size === 0) {
    const ajv = new Ajv2020({ strict: false });
    for (const tool of describedTools().listFor(admin('reader'), plainConnection))
      validators.set(tool.name, ajv.compile((tool.outputSchema ?? {}) as object));
  }
  const found = validators.get(name);
  if (!found) throw new Error(`${name} is not a known tool`);
  return found;
}

export function checkResult(name: string, result: unknown): void {
  const { structuredContent, isError } = result as Result;
  const value = valueIn(result);
  if (isError === true) {
    if (structuredContent !== undefined) throw new Error(`${name}: a failure with structured content`);
    return;
  }
  const repeated = name.includes('_') ? { data: value } : value;
  if (JSON.stringify(structuredContent) !== JSON.stringify(repeated))
    throw new Error(`${name}: text and structured content differ`);
  const fits = validatorOf(name);
  if (!fits(structuredContent))
    throw new Error(`${name} does not fit its schema: ${JSON.stringify(fits.errors)}`);
}

interface CanCall {
  callTool(params: { name: string }, ...rest: never[]): Promise<unknown>;
}

/** The same client, but each result of a tool is checked before the test sees it. */
export function checkingResults<C extends CanCall>(client: C): C {
  const ask = client.callTool.bind(client);
  client.callTool = async (params: { name: string }, ...rest: never[]) => {
    const result = await ask(params, ...rest);
    checkResult(params.name, result);
    return result;
  };
  return client;
}
