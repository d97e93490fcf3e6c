/** Reads documents from a chain. A document that cannot be read is an answer, not an error. */
import { type Fields, isFields, member } from '@handover/core';
import { decodeWord, isAddress, Selector, textCall } from '@handover/evm';
import { type ChainClient, ChainRefused, ChainUnavailable, type Hex } from '../../chain/port.js';
import { readRuleText } from '../../chain/read-xrc.js';
import { jsonLimits } from '../../config/json-limits.js';
import { parseBounded } from '../../platform/json/parse-bounded.js';

/** The rule documents of all steps, by lowercase address. A rule that cannot be read is left out. */
export async function rulesOnChain(
  client: ChainClient,
  document: unknown,
): Promise<ReadonlyMap<string, Fields>> {
  const rules = new Map<string, Fields>();
  const structure = member(document, 'structure');
  const steps = Array.isArray(structure) ? structure : isFields(structure) ? Object.values(structure) : [];
  for (const step of steps.slice(0, 128)) {
    const rule = member(step, 'rule');
    if (!isAddress(rule) || rules.has(rule.toLowerCase())) continue;
    const text = await quietly(readRuleText(client, rule.toLowerCase() as Hex));
    const read = text === undefined ? undefined : parsed(text);
    if (isFields(read)) rules.set(rule.toLowerCase(), { ...read, address: rule });
  }
  return rules;
}

/** The hash of the stored text that the contract itself keeps. The server does not compute it. */
export async function hashOnChain(client: ChainClient, to: Hex, ostcId: string): Promise<string | undefined> {
  const answer = await quietly(client.call({ to, data: textCall(Selector.getOstcMeta, ostcId) }));
  const hash = answer === undefined ? undefined : decodeWord(answer);
  return hash === undefined || /^0x0+$/.test(hash) ? undefined : hash;
}

/** Undefined when the chain did not answer, or refused the call. */
export async function quietly<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (thrown) {
    if (thrown instanceof ChainUnavailable || thrown instanceof ChainRefused) return undefined;
    throw thrown;
  }
}

/** No document of the engine is nested deeper. */
const MAX_DEPTH = 64;

/** Undefined: it is not JSON, or more than the server parses. */
export function parsed(text: string): unknown {
  const read = parseBounded(text, jsonLimits(MAX_DEPTH));
  return 'value' in read ? read.value : undefined;
}
