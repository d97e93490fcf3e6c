/**
 * What this server says may name a tool that the caller's connection does not list: a client shows its model only what is listed.
 * One place sees to it, for every tool: the answer then says how the tool can be had. Only words of this server are looked at, at
 * the places where it puts them.
 */
import { isFields, type Json, type JsonObject } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { TOOL_SETS, type ToolSetName } from '../../auth/tool-sets.js';
import type { Connection } from '../../services/connection.js';
import type { ToolTable } from './tool-table.js';

/** Fields with sentences of this server. */
const SENTENCES: readonly string[] = ['instruction', 'hint', 'message'];
const NAMES = /[A-Za-z_]{4,}/g;

interface Caller {
  readonly principal: Principal;
  readonly connection: Connection;
}

/** Undefined: whatever is named is listed. */
export function unlistedHint(
  tools: Pick<ToolTable, 'find' | 'setOf'>,
  { principal, connection }: Caller,
  said: JsonObject,
): string | undefined {
  const missing = new Map<string, ToolSetName>();
  for (const name of new Set(sentencesOf(said).join(' ').match(NAMES))) {
    const set = tools.setOf(name);
    const tool = tools.find(name);
    if (set && tool && principal.scopes.has(tool.scope) && !(connection.toolsets?.has(set) ?? true))
      missing.set(name, set);
  }
  if (missing.size === 0) return undefined;
  const names = [...missing.keys()].join(', ');
  const wanted = new Set([...(connection.toolsets ?? []), ...missing.values()]);
  const sets = TOOL_SETS.filter((set) => wanted.has(set)).join(',');
  const how =
    connection.transport === 'stdio'
      ? `a connection that was started with --toolsets ${sets} lists it`
      : `an address that ends in ?toolsets=${sets} lists it`;
  return `${names}: not listed here, but it answers when it is called by name; ${how}.`;
}

/** Of the result, of what is directly in it, and of the items of its lists. */
function sentencesOf(said: JsonObject, depth = 0): readonly string[] {
  return Object.entries(said).flatMap(([field, value]) => {
    if (typeof value === 'string') return SENTENCES.includes(field) || isOwn(field, depth) ? [value] : [];
    if (field === 'next' && isFields(value)) return typeof value.tool === 'string' ? [value.tool] : [];
    if (depth > 0) return [];
    const items: readonly Json[] = Array.isArray(value) ? value : [value];
    return items.filter(isFields).flatMap((item) => sentencesOf(item as JsonObject, depth + 1));
  });
}

/** What a refusal says. */
const isOwn = (field: string, depth: number): boolean => field === 'error' && depth === 0;
