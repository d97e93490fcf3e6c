/**
 * The rules of a policy, from the JSON text that crosses the wire. Text that two readers could understand differently
 * is refused: names that occur twice, `__proto__`, numbers that no double holds, and nesting beyond any real rule.
 */
import { cited, isFields, type Json, type JsonObject, MAX_POLICY_RULES_BYTES } from '@handover/core';
import { jsonLimits } from '../../../config/json-limits.js';
import { parseBounded } from '../../../platform/json/parse-bounded.js';

export type RulesText = { readonly rules: JsonObject } | { readonly error: string };

const MAX_DEPTH = 32;
/** Rules are bounded in their canonical form; text may have spaces, too. */
const MAX_TEXT_BYTES = 2 * MAX_POLICY_RULES_BYTES;
/** A string, a bracket, a colon or a number; the rest is skipped. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]|-?\d[\d.eE+-]*/g;

/** Empty text means no rules. */
export function readRulesText(text: string): RulesText {
  if (text === '') return { rules: {} };
  const parsed = parseBounded(text, jsonLimits(MAX_DEPTH, MAX_TEXT_BYTES));
  if ('flaw' in parsed) return { error: `rules ${parsed.flaw.message}` };
  const rules = parsed.value as Json;
  if (!isFields(rules)) return { error: 'rules must be a JSON object' };
  const flaw = structureFlaw(text);
  return flaw === undefined ? { rules } : { error: `rules ${flaw}` };
}

/** What two readers could understand differently, in a text that is known to be JSON. */
export function structureFlaw(text: string): string | undefined {
  const open: Set<string>[] = [];
  let last = '';
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      const name = JSON.parse(last) as string;
      if (name === '__proto__') return 'has the name __proto__';
      if (open.at(-1)?.has(name)) return `has the name ${cited(name)} twice`;
      open.at(-1)?.add(name);
    } else if (!token.startsWith('"') && !Number.isFinite(Number(token))) return 'has a number out of range';
    last = token;
  }
  return undefined;
}
