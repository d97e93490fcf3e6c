/** Every tool as it is described, failing with whatever a call asks for: one server object, or a connection to it. */
import { FaultCode, HandoverError, type RejectionCode, reject } from '@handover/core';
import { z } from 'zod';
import type { McpDependencies } from '../../../packages/server/src/doors/mcp/dependencies.js';
import type { Tool } from '../../../packages/server/src/doors/mcp/tool.js';
import { silentLog } from '../../../packages/server/src/observe/log.js';
import { createAudit } from '../../../packages/server/src/observe/security-log.js';
import { BodyBudget } from '../../../packages/server/src/services/body-budget.js';
import { describedTools } from '../../kit/mcp-results.js';

const described = describedTools();

function failing(tool: Tool): Tool {
  const run = async (args: { code?: RejectionCode }) => {
    if (!args.code) throw new HandoverError(FaultCode.NOT_STORED, 'inside');
    return { rejection: reject(args.code, 'as asked') };
  };
  const { review: _, ...rest } = tool;
  return { ...rest, input: z.looseObject({}), run };
}

/** The parts of the door that calls of tools use. */
export function failingDoor(): McpDependencies {
  const bytes = { inAll: 1_000_000, ofCaller: 1_000_000, ofStrangers: 0, ofAddress: 0 };
  return {
    tools: {
      ...described,
      find: (name: string) => {
        const tool = described.find(name);
        return tool && failing(tool);
      },
    },
    rate: () => undefined,
    kinds: [],
    log: silentLog,
    audit: createAudit(silentLog),
    loop: { entered: () => {} },
    calls: { track: (made: unknown) => made },
    names: new Set(),
    unfinished: new BodyBudget(bytes),
    opener: {
      open: async (_: unknown, line: Uint8Array) => ({ message: JSON.parse(String(Buffer.from(line))) }),
    },
    listeners: { admit: () => ({ rejection: reject('RATE_LIMITED', 'nobody listens here') }) },
    closing: new AbortController().signal,
    now: Date.now,
    serverName: () => 'test',
    serverVersion: '1',
    instructions: () => '',
  } as unknown as McpDependencies;
}
