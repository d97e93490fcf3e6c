/** Arguments for the tools of the MCP server: by their schemas, and by what their names mean. */
import { B1, B2, S1 } from '../decoders/bundles.js';
import { deep, type Json, json } from '../values/json.js';
import { mutateJson } from '../values/mutate-json.js';
import type { Random } from '../values/random.js';
import { fitting, type Schema } from '../values/schema.js';
import { HOSTILE, text, word } from '../values/texts.js';
import { CHAIN_ID } from './hostile-rpc.js';
import { type Kind, place } from './known.js';
import { OPERATION, START } from './prepare.js';

export interface ToolSchema {
  readonly name: string;
  readonly inputSchema: Schema;
}

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
const SETTINGS = [
  'limits.maxContentBytes',
  'LOG_LEVEL',
  'server.name',
  'limits.messagesPerMinute',
  ...HOSTILE,
];

function hint(random: Random, as: string): (name: string) => Json | undefined {
  return (name) => {
    if (random.oneIn(8)) return undefined;
    const kind = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined;
    if (kind) return name === 'sessionKey' && random.oneIn(4) ? word(random) : place(random, kind);
    if (name === 'agentFrom') return as;
    if (name === 'targetAgent') return random.oneIn(4) ? random.pick(['alice', 'carol']) : 'bob';
    // Nobody wants to wait for as long as the schema allows.
    if (name === 'timeoutMs') return random.int(100);
    if (name === 'expectedSequence') return random.oneIn(3) ? random.int(5) : undefined;
    if (name === 'bundle')
      return random.oneIn(3) ? random.pick([B1, B2]) : mutateJson(random, random.pick([B1, B2]));
    if (name === 'request') return random.oneIn(3) ? START : mutateJson(random, random.oneIn(2) ? START : S1);
    if (name === 'chainId') return CHAIN_ID;
    if (name === 'metadata')
      return random.oneIn(2)
        ? { note: { goal: text(random, 80), supersedes: random.int(4) } }
        : json(random, 3);
    if (name === 'updates') return { [random.pick(SETTINGS)]: random.oneIn(2) ? 1_000_000 : json(random, 1) };
    return undefined;
  };
}

/** Arguments that fit the schema in half of the cases. */
export function toolArguments(random: Random, { name, inputSchema }: ToolSchema, as: string): Json {
  const right =
    name === 'create_operation_handoff' && random.oneIn(2)
      ? OPERATION
      : fitting(random, inputSchema, hint(random, as));
  const args = random.oneIn(2) ? right : wrong(random, right);
  // Without a time it would wait for 25 seconds.
  const waits = name === 'waitForHandoff' && isObject(args) && typeof args.timeoutMs !== 'number';
  return waits ? { ...args, timeoutMs: 5 } : args;
}

function wrong(random: Random, right: Json): Json {
  if (random.oneIn(60)) return { ...(right as object), content: 'x'.repeat(random.size(1_200_000)) };
  if (random.oneIn(40)) return { ...(right as object), metadata: deep(random.between(20, 2_000), random) };
  return random.oneIn(15) ? json(random) : mutateJson(random, right);
}

const isObject = (value: Json): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
