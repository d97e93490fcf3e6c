/** What the thread for large documents does: pure functions from bytes to bytes and findings. */
import { atOnce, isFields, type JsonObject, member } from '@handover/core';
import { scanJson } from '../../platform/json/json-scan.js';
import { type Parsed, type ParseLimits, parseBounded, scanFlaw } from '../../platform/json/parse-bounded.js';
import { parseExactly } from '../../platform/json/parse-exactly.js';
import { nodeCodec } from '../../platform/node-codec.js';
import { derive } from '../operations/derivations.js';
import { checkBundle } from '../operations/families/bundle-deploy/check.js';
import type { DeriveInput, DeriveOutput, Jobs, MessageInput, MessageOutput } from './job-types.js';

export const JOBS: Jobs = { message: splitMessage, derive: deriveFrom };

/** Takes the large argument out of a call of a tool, and checks it. */
function splitMessage({ bytes, limits, plain, tools }: MessageInput): MessageOutput {
  const parsed = parseMessage(bytes, limits);
  if ('flaw' in parsed) return { kind: 'refused', flaw: parsed.flaw };
  const call = largeCall(parsed.value, tools);
  if (!call) {
    const small = parseBounded(bytes, plain);
    return 'flaw' in small ? { kind: 'refused', flaw: small.flaw } : { kind: 'plain', bytes };
  }
  const { message, parameters, args, argument } = call;
  const { [argument]: bundle, ...others } = args;
  const rest = JSON.stringify({ ...message, params: { ...parameters, arguments: others } });
  const restFlaw = flawOf(rest, plain);
  if (restFlaw) return { kind: 'refused', flaw: restFlaw };
  const { json, ...check } = atOnce(checkBundle(bundle, member(args, 'chainId'), nodeCodec));
  return { kind: 'split', rest, argument, check, ...(json && { json }) };
}

function parseMessage(bytes: Uint8Array, limits: ParseLimits): Parsed {
  const scan = scanJson(bytes, limits);
  const flaw = scanFlaw(scan, bytes.length, limits);
  return flaw ? { flaw } : parseExactly(bytes, scan);
}

function largeCall(message: unknown, tools: MessageInput['tools']) {
  const parameters = member(message, 'params');
  const name = member(parameters, 'name');
  const args = member(parameters, 'arguments');
  if (!isFields(message) || message.method !== 'tools/call' || !isFields(parameters) || !isFields(args))
    return undefined;
  const argument = typeof name === 'string' && Object.hasOwn(tools, name) ? tools[name] : undefined;
  return argument !== undefined && isFields(args[argument])
    ? { message, parameters, args, argument }
    : undefined;
}

function flawOf(json: string, limits: ParseLimits) {
  const parsed = parseBounded(json, limits);
  return 'flaw' in parsed
    ? { ...parsed.flaw, message: `${parsed.flaw.message}, without its large argument` }
    : undefined;
}

function deriveFrom(input: DeriveInput): DeriveOutput {
  const { name, parameters, created, result, posted, limits } = input;
  const body = posted && parseBounded(posted, limits);
  if (body && 'flaw' in body) return { flaw: body.flaw };
  const documents = {
    created: storedDocument(created, limits),
    ...(result && { result: storedDocument(result, limits) }),
    ...(body && { posted: body.value }),
  };
  return { value: derive(name, documents, parameters) };
}

/** What is no object was not written by this server; it reads as nothing. */
function storedDocument(bytes: Uint8Array, limits: ParseLimits): JsonObject {
  const parsed = parseBounded(bytes, limits);
  return 'value' in parsed && isFields(parsed.value) ? (parsed.value as JsonObject) : {};
}
