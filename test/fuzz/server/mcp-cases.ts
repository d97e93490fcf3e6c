/** Messages for an MCP server: every method and every tool, with arguments that fit, nearly fit and do not fit. */
import type { Json } from '../values/json.js';
import { mutateJson } from '../values/mutate-json.js';
import type { Random } from '../values/random.js';
import { mutateText, text, word } from '../values/texts.js';
import { place } from './known.js';
import type { McpMessage } from './mcp-wire.js';
import { type ToolSchema, toolArguments } from './tool-arguments.js';

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

function uri(random: Random): string {
  const path = random.pick(RESOURCES).replace(/:\d+/, `:${random.int(1_000)}`);
  const cursor = random.oneIn(2) ? place(random, 'cursor') : word(random);
  const right = `handoff://${path}${random.oneIn(4) ? `?cursor=${cursor}` : ''}`;
  return random.oneIn(3) ? mutateText(random, right) : right;
}

function toolCall(random: Random, tools: readonly ToolSchema[], as: string): McpMessage {
  const tool = random.pick(tools);
  const args = toolArguments(random, tool, as);
  const name = random.oneIn(30) ? text(random, 40) : tool.name;
  return { method: 'tools/call', id: id(random), params: { name, arguments: args } };
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
