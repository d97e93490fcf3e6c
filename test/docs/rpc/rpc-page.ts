/** The generated parts of docs/reference/macp-rpc.md. */
import { FAULT_WAIT_MS, type FaultCode } from '@handover/core';
import { type MethodEntry, type MethodKey, methods } from '@handover/wire';
import {
  FAULT_REGISTRY_CODES,
  FAULT_STATUS,
  REJECTION_STATUS,
  type Retry,
} from '../../../packages/server/src/doors/status-table.js';
import type { Blocks } from '../generated.js';
import { fieldTable } from '../proto/field-table.js';
import type { Proto, ProtoType } from '../proto/read-proto.js';
import { codeCell, table, textCell } from '../tables.js';
import { FAULTS, MACP_CODES, MEANINGS } from './codes.js';
import { CALL_REFUSALS, type CallRefusal } from './refusals.js';

export interface Known {
  readonly who: ReadonlyMap<MethodKey, string>;
  readonly counted: ReadonlySet<MethodKey>;
}

const AGAIN: Readonly<Record<Retry, string>> = {
  never: 'no',
  later: 'later',
  'same-id': 'yes, under the same message id',
};

/** Payloads of envelopes in every mode, which no call names. */
const PAYLOADS = [
  'SessionStart',
  'Commitment',
  'Signal',
  'Progress',
  'SessionCancel',
  'SessionSuspend',
  'SessionResume',
];

const keys = Object.keys(methods) as MethodKey[];
const shortOf = (name: string) => name.split('.').at(-1) ?? name;
const anchorOf = (name: string) => `#${shortOf(name).toLowerCase()}`;

export function rpcBlocks(proto: Proto, known: Known): Blocks {
  const shown = messagesOf(proto);
  const link = (holds: string) => (shown.some(({ name }) => name === holds) ? anchorOf(holds) : undefined);
  return {
    calls: callTable(known),
    codes: codeTable(),
    faults: faultTable(),
    reference: keys.map((key) => callSection(key, proto, known, link)).join('\n\n'),
    messages: shown.map((type) => typeSection(type, link)).join('\n\n'),
  };
}

function callTable({ who, counted }: Known): string {
  return table(
    ['call', 'answers with', 'who may call', 'counts in the rate'],
    keys.map((key) => {
      const { name, responseStream, requestStream } = methods[key];
      const answers = requestStream ? 'a stream both ways' : responseStream ? 'a stream' : 'one message';
      return [
        `[${name}](#${name.toLowerCase()})`,
        answers,
        who.get(key) ?? '',
        counted.has(key) ? 'yes' : '',
      ];
    }),
  );
}

function codeTable(): string {
  return table(
    ['code', 'gRPC', 'HTTP', 'again', 'means'],
    MACP_CODES.map((code) => {
      const { grpc, http, retry } = REJECTION_STATUS[code];
      return [codeCell(code), grpc, String(http), AGAIN[retry], MEANINGS[code]];
    }),
  );
}

function faultTable(): string {
  const faults = Object.keys(FAULTS) as FaultCode[];
  return table(
    ['what happened', 'code', 'gRPC', 'HTTP', 'again', 'after'],
    faults.map((fault) => {
      const code = FAULT_REGISTRY_CODES[fault];
      const { grpc, retry } = FAULT_STATUS[fault];
      const wait = FAULT_WAIT_MS[fault];
      const after = wait === undefined ? '' : `${wait / 1_000} s`;
      return [FAULTS[fault], codeCell(code), grpc, String(REJECTION_STATUS[code].http), AGAIN[retry], after];
    }),
  );
}

function callSection(
  key: MethodKey,
  { types, calls }: Proto,
  { who }: Known,
  link: (holds: string) => string | undefined,
): string {
  const { name } = methods[key];
  const call = calls.find((each) => each.name === name);
  const [request, response] = [types.get(call?.input ?? ''), types.get(call?.output ?? '')];
  if (!call || !request || !response) throw new Error(`the proto files have no ${name}`);
  const part = (what: string, type: ProtoType) =>
    [
      `**${what}** \`${shortOf(type.name)}\`${type.comment === '' ? '' : `: ${type.comment}`}`,
      fieldTable(type, link),
    ].join('\n\n');
  return [
    `### ${name}`,
    call.comment,
    `\`POST /macp/v1/${name}\`, ${kindOf(methods[key])}. For ${who.get(key)}.`,
    part('Request', request),
    part('Response', response),
    refusalTable(CALL_REFUSALS[key]),
  ]
    .filter((each) => each !== '')
    .join('\n\n');
}

function kindOf({ requestStream, responseStream }: MethodEntry): string {
  if (requestStream) return 'a stream of events; over gRPC both sides stream';
  return responseStream ? 'a stream of events' : 'unary';
}

function refusalTable(refusals: readonly CallRefusal[]): string {
  if (refusals.length === 0) return '';
  return table(
    ['code', 'gRPC', 'HTTP', 'when'],
    refusals.map(({ code, when, inBand }) => {
      const { grpc, http } = REJECTION_STATUS[code];
      const status = {
        grpc: inBand ? (inBand === 'grpc' ? 'OK, in a frame' : 'OK, in the Ack') : grpc,
        http: inBand === true ? '200, in the Ack' : String(http),
      };
      return [codeCell(code), status.grpc, status.http, textCell(when)];
    }),
  );
}

function typeSection(type: ProtoType, link: (holds: string) => string | undefined): string {
  return [`### \`${shortOf(type.name)}\``, type.comment, fieldTable(type, link)]
    .filter((each) => each !== '')
    .join('\n\n');
}

/** What requests and answers hold, and the payloads of every mode; those of one mode are on its page. */
function messagesOf({ types, calls }: Proto): readonly ProtoType[] {
  const inCalls = calls.flatMap(({ input, output }) => [input, output]);
  const wanted = [...inCalls, ...PAYLOADS.map((name) => `macp.v1.${name}Payload`)];
  for (const name of wanted)
    for (const { holds } of types.get(name)?.fields ?? [])
      if (holds !== undefined && !wanted.includes(holds)) wanted.push(holds);
  return [...types.values()].filter(({ name }) => wanted.includes(name) && !inCalls.includes(name));
}
