/** Messages for an MCP server: every method and every tool, with arguments that fit, nearly fit and do not fit. */
import { B1, B2, S1 } from '../decoders/bundles.js';
import { deep, type Json, json } from '../values/json.js';
import { mutateJson } from '../values/mutate-json.js';
import type { Random } from '../values/random.js';
import { fitting, type Schema } from '../values/schema.js';
import { HOSTILE, mutateText, text, word } from '../values/texts.js';
import { type Kind, place } from './known.js';
import type { McpMessage } from './mcp-wire.js';
import { OPERATION, START } from './prepare.js';

export interface ToolSchema {
  readonly name: string;
  readonly inputSchema: Schema;
}

const METHODS = [
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'subscriptions/listen',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'completion/complete',
];
const ODD = [
  'ping',
  'initialize',
  'server/discover',
  'logging/setLevel',
  'notifications/initialized',
  'notifications/cancelled',
  'tasks/get',
  'sampling/createMessage',
];
const KNOWN: Readonly<Record<string, Kind>> = {
  sessionKey: 'key',
  handoffId: 'handoff',
  operationId: 'operation',
  handle: 'operation',
  bundleDeployHandle: 'operation',
  secret: 'secret',
  cursor: 'cursor',
  since: 'cursor',
  backupId: 'backup',
};
const RESOURCES = [
  'sessions',
  'context/‹key:1›',
  'summary/‹key:2›',
  'agents/alice/sessions',
  'agents/bob/inbox',
  'handoffs/‹handoff:1›',
  'handoffs/‹handoff:2›/package',
  'handoffs/‹handoff:3›/receipt',
  'operations/‹operation:1›',
  'health',
  'metrics',
  'configuration',
];

export function uri(random: Random): string {
  const right = `handoff://${random.pick(RESOURCES).replace(/:\d+/, `:${random.int(1_000)}`)}${random.oneIn(4) ? `?cursor=${random.oneIn(2) ? place(random, 'cursor') : word(random)}` : ''}`;
  return random.oneIn(3) ? mutateText(random, right) : right;
}

function hint(random: Random, as: string): (name: string) => Json | undefined {
  return (name) => {
    if (random.oneIn(8)) return undefined;
    const kind = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
    if (kind) return name === 'sessionKey' && random.oneIn(4) ? word(random) : place(random, kind);
    if (name === 'agentFrom') return as;
    if (name === 'targetAgent') return random.pick(['alice', 'bob', 'carol']);
    // Nobody wants to wait for as long as the schema allows.
    if (name === 'timeoutMs') return random.int(100);
    if (name === 'expectedSequence') return random.oneIn(3) ? random.int(5) : undefined;
    if (name === 'bundle')
      return random.oneIn(3) ? random.pick([B1, B2]) : mutateJson(random, random.pick([B1, B2]));
    if (name === 'request') return random.oneIn(3) ? START : mutateJson(random, random.oneIn(2) ? START : S1);
    if (name === 'chainId') return 1879;
    if (name === 'metadata')
      return random.oneIn(2)
        ? { note: { goal: text(random, 80), supersedes: random.int(4) } }
        : json(random, 3);
    if (name === 'updates')
      return {
        [random.pick([
          'limits.maxContentBytes',
          'LOG_LEVEL',
          'server.name',
          'limits.messagesPerMinute',
          ...HOSTILE,
        ])]: random.oneIn(2) ? 1_000_000 : json(random, 1),
      };
    return undefined;
  };
}

function toolArguments(random: Random, { name, inputSchema }: ToolSchema, as: string): Json {
  const right =
    name === 'create_operation_handoff' && random.oneIn(2)
      ? OPERATION
      : fitting(random, inputSchema, hint(random, as));
  if (random.oneIn(2)) return right;
  if (random.oneIn(60)) return { ...(right as object), content: 'x'.repeat(random.size(1_200_000)) };
  if (random.oneIn(40)) return { ...(right as object), metadata: deep(random.between(20, 2_000), random) };
  return random.oneIn(15) ? json(random) : mutateJson(random, right);
}

export function toolCall(random: Random, tools: readonly ToolSchema[], as: string): McpMessage {
  const tool = random.pick(tools);
  const args = toolArguments(random, tool, as);
  const waits =
    tool.name === 'waitForHandoff' && typeof args === 'object' && args !== null && !Array.isArray(args);
  const timeoutMs = waits && typeof args.timeoutMs !== 'number' ? { timeoutMs: 5 } : {};
  return {
    method: 'tools/call',
    id: id(random),
    params: {
      name: random.oneIn(30) ? text(random, 40) : tool.name,
      arguments: waits ? { ...args, ...timeoutMs } : args,
    },
  };
}

const id = (random: Random): Json =>
  random.oneIn(25) ? random.pick<Json>([0, -1, 'a', '__proto__', 1.5, '\ud800']) : random.int(1_000_000);

function paramsOf(random: Random, method: string): { [key: string]: Json } {
  switch (method) {
    case 'resources/read':
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return { uri: uri(random) };
    case 'subscriptions/listen':
      return {
        notifications: {
          resourcesListChanged: true,
          resourceSubscriptions: Array.from({ length: random.size(20) }, () => uri(random)),
        },
      };
    case 'prompts/get':
      return {
        name: random.pick(['handoff', 'resume', text(random, 20)]),
        arguments: { sessionKey: place(random, 'key'), targetAgent: 'bob' },
      };
    case 'completion/complete':
      return {
        ref: random.oneIn(2)
          ? { type: 'ref/prompt', name: 'handoff' }
          : { type: 'ref/resource', uri: 'handoff://context/{sessionKey}' },
        argument: {
          name: random.pick(['sessionKey', 'targetAgent', 'agentId', 'handoffId', text(random, 20)]),
          value: text(random, 100),
        },
      };
    case 'notifications/cancelled':
      return { requestId: random.int(1_000), reason: text(random, 40) };
    default:
      return random.oneIn(3) ? { cursor: place(random, 'cursor') } : {};
  }
}

export function message(random: Random, tools: readonly ToolSchema[], as: string): McpMessage {
  if (!random.oneIn(3)) return toolCall(random, tools, as);
  const method = random.oneIn(30) ? text(random, 40) : random.pick(random.oneIn(5) ? ODD : METHODS);
  const right = paramsOf(random, method);
  const params = random.oneIn(2) ? right : mutateJson(random, right);
  const isFields = typeof params === 'object' && params !== null && !Array.isArray(params);
  return { method, id: id(random), params: isFields ? params : { x: params } };
}
