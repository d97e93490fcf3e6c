/** The tools of handoffs on the real services, without a door before them. Every result is held against its cap. */
import { createMemoryStore } from '@handover/engine';
import { expect } from 'vitest';
import type { Principal } from '../../../packages/server/src/auth/principal.js';
import { handoffToolSets } from '../../../packages/server/src/doors/mcp/tools/index.js';
import { RESULT_TOKENS } from '../../../packages/server/src/doors/mcp/tools/result-tokens.js';
import { AgentDirectory } from '../../../packages/server/src/services/agents/agent-directory.js';
import type { Connection } from '../../../packages/server/src/services/connection.js';
import { plainConnection } from '../../kit/connections.js';
import type { Payload } from '../../kit/mcp-clients.js';
import { createWorld } from '../../worklog/world.js';
import { tokensOf } from './tool-names.js';

type CappedTool = keyof typeof RESULT_TOKENS;

export interface NextCall {
  readonly tool: CappedTool;
  readonly arguments: Record<string, unknown>;
}

export type ToolWorld = ReturnType<typeof openToolWorld>;

export function openToolWorld() {
  const store = createMemoryStore();
  const world = createWorld(store);
  const { handoffs, clock } = world;
  const directory = new AgentDirectory({ agents: store.agents, now: () => clock.now, log: world.log });
  const sets = handoffToolSets({
    handoffs,
    directory,
    configuration: {} as never,
    toolSets: ['handoff', 'lifecycle'],
    server: { version: '0.1.0', since: clock.now },
    now: () => clock.now,
  });
  const tools = new Map(sets.flatMap(({ tools }) => tools.map((tool) => [tool.name, tool] as const)));
  /** The largest result of each. */
  const largest = new Map<CappedTool, number>();
  const call = async (
    principal: Principal,
    name: CappedTool,
    args: Record<string, unknown> = {},
    connection: Connection = plainConnection,
  ): Promise<Payload> => {
    clock.now += 1_000;
    const tool = tools.get(name);
    if (!tool) throw new Error(`${name} is not a tool`);
    const signal = new AbortController().signal;
    const outcome = await tool.run(tool.input.parse(args), { principal, connection, signal, progress() {} });
    if ('rejection' in outcome) throw new Error(`${name}: ${outcome.rejection.message}`);
    const value = {
      success: true,
      ...outcome.value,
      ...(outcome.replayed && { replayed: true }),
    } as unknown as Payload;
    const tokens = tokensOf(name === 'registerSession' ? withoutMetadata(value) : value);
    expect(tokens, `${name} ${Object.keys(args)}`).toBeLessThanOrEqual(
      Number(args.maxTokens ?? RESULT_TOKENS[name]),
    );
    largest.set(name, Math.max(tokens, largest.get(name) ?? 0));
    return value;
  };
  return { ...world, directory, tools, call, largest };
}

/** The caller's own, and never cut. */
const withoutMetadata = ({ session, ...rest }: Payload) => ({
  ...rest,
  session: { ...session, metadata: {} },
});
