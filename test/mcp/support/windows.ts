/**
 * Windows of assistants, without pipes: the real tools on the real services, called as the door calls them, with a clock that
 * the test moves. What a pipe says of itself stands in the connection.
 */

import type { Principal } from '../../../packages/server/src/auth/principal.js';
import { callTool } from '../../../packages/server/src/doors/mcp/call-tool.js';
import { createToolTable } from '../../../packages/server/src/doors/mcp/tool-table.js';
import { handoffToolSets } from '../../../packages/server/src/doors/mcp/tools/index.js';
import type { Connection } from '../../../packages/server/src/services/connection.js';
import type { TestEnv } from '../../kit/configuration.js';
import { type Payload, payloadOf } from '../../kit/mcp-clients.js';
import { agent as principalOf } from '../../kit/principals.js';
import { createWorld } from '../../worklog/world.js';

export const SHOP = { id: 'git:0123456789abcdef', name: 'shop' };
export const SITE = { id: 'git:fedcba9876543210', name: 'site' };

export interface CallOptions {
  /** As the pipe would derive it. */
  readonly requestKey?: string;
  readonly signal?: AbortSignal;
  readonly progress?: (message: string) => void;
}

export interface Window {
  readonly connection: Connection;
  call(tool: string, args?: object, options?: CallOptions): Promise<Payload>;
}

export type Windows = ReturnType<typeof createWindows>;

export function createWindows(env: TestEnv = {}) {
  const world = createWorld(undefined, env);
  world.engine.start();
  const { deps, log, clock, handoffs, directory } = world;
  const now = () => clock.now;
  const server = { version: '0', since: 0 };
  const tools = createToolTable(
    handoffToolSets({
      ...{ handoffs, directory, server, now, toolSets: ['handoff', 'lifecycle'] },
      configuration: {} as never,
    }),
  );
  let opened = 0;
  /** A new conversation of an agent, in the shop and with every scope but the administrator's unless told. */
  const open = (agent: string, more: Partial<Connection> = {}, who: Partial<Principal> = {}): Window => {
    const instance = (++opened).toString(16).padStart(8, '0');
    const connection: Connection = { transport: 'stdio', since: now(), instance, project: SHOP, ...more };
    const principal = principalOf(agent, who);
    return {
      connection,
      call: async (name, args = {}, { requestKey, signal, progress = () => {} } = {}) => {
        const tool = tools.find(name);
        if (!tool) throw new Error(`there is no tool ${name}`);
        const result = await callTool(
          { log, audit: deps.audit, now, rate: () => undefined, tools },
          tool,
          args,
          {
            ...{ principal, connection, progress },
            signal: signal ?? new AbortController().signal,
            ...(requestKey !== undefined && { requestKey }),
          },
        );
        return payloadOf(result);
      },
    };
  };
  return { ...world, open };
}

/** A capture of a conversation, as its hook sends it. */
export function capture(
  { handoffs }: Pick<Windows, 'handoffs'>,
  agent: string,
  more: {
    readonly clientSession?: string;
    readonly event?: string;
    readonly park?: boolean;
    readonly git?: string;
    readonly content?: string;
    readonly sessionKey?: string;
    readonly isWork?: boolean;
    readonly isMoreWork?: boolean;
    readonly transport?: Connection['transport'];
    readonly at?: string;
  } = {},
) {
  const { clientSession = 'c1', event = 'Stop', park = false, git, content = 'captured', sessionKey } = more;
  const { isWork = true, isMoreWork, transport = 'stdio', at } = more;
  const request = {
    ...{ client: 'claude', clientSession, event, park, content, isWork, project: SHOP },
    ...(sessionKey !== undefined && { sessionKey }),
    ...(at !== undefined && { at }),
    ...(isMoreWork !== undefined && { isMoreWork }),
    idempotencyKey: `${clientSession}-${event}-${Math.random()}`,
    metadata: {
      capture: { v: 1, client: 'claude', event, clientSession, ...(git !== undefined && { git }) },
    },
  };
  return handoffs.capture(principalOf(agent), request, { transport });
}
