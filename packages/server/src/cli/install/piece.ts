/** One thing that `install` puts into one file of an assistant. */
import { isFields, type Json, shellWord } from '@handover/core';
import type { ClientPlace } from './client-file.js';
import { digestOfText, digestOfValue } from './edit/digest.js';
import type { Mark, Put, Refusal, Taken, Text } from './edit/edit.js';
import { type JsonPlace, placeName, putJson, takeJson } from './edit/json-place.js';
import { type CommentStyle, ownFile, putFile, takeFile } from './edit/own-file.js';
import { putToml, takeToml, tomlBlock } from './edit/toml-block.js';

export interface Piece extends ClientPlace {
  /** For people: `MCP entry`, `hook Stop`. */
  readonly what: string;
  /** For the record; stays the same in all versions. */
  readonly place: string;
  /** Of what is written there now. */
  readonly digest: string;
  /** What a person can paste. */
  readonly snippet: string;
  put(text: Text, mark: Mark | undefined): Put | Refusal;
  take(text: Text, mark: Mark): Taken | Refusal;
}

export function entryPiece(at: ClientPlace, within: string, value: Json): Piece {
  const place: JsonPlace = { within: [within], at: 'handover' };
  return {
    ...at,
    what: 'MCP entry',
    place: placeName(place),
    digest: digestOfValue(value),
    snippet: JSON.stringify({ [within]: { handover: value } }, null, 2),
    put: (text, mark) => putJson(text, place, value, mark),
    take: (text, mark) => takeJson(text, place, mark),
  };
}

export interface Hook {
  /** As the client calls it. */
  readonly event: string;
  readonly command: string;
  readonly timeout: number;
}

export function hookPiece(at: ClientPlace, { event, command, timeout }: Hook, script: string): Piece {
  const value: Json = { hooks: [{ type: 'command', command, timeout }] };
  const place = (mark: Mark | undefined): JsonPlace => ({
    within: ['hooks', event],
    at: (item) => runsOurHook(item, script) || (mark?.digests.includes(digestOrNone(item)) ?? false),
  });
  return {
    ...at,
    what: `hook ${event}`,
    place: placeName(place(undefined)),
    digest: digestOfValue(value),
    snippet: JSON.stringify({ hooks: { [event]: [value] } }, null, 2),
    put: (text, mark) => putJson(text, place(mark), value, mark),
    take: (text, mark) => takeJson(text, place(mark), mark),
  };
}

function runsOurHook(group: unknown, script: string): boolean {
  const hooks = isFields(group) && Array.isArray(group.hooks) ? group.hooks : [];
  const isOurs = (command: string) => command.includes(' hook ') && command.includes(shellWord(script));
  return hooks.some((hook) => isFields(hook) && typeof hook.command === 'string' && isOurs(hook.command));
}

function digestOrNone(value: unknown): string {
  try {
    return digestOfValue(value as Json);
  } catch {
    return '';
  }
}

export function tablePiece(
  at: ClientPlace,
  table: readonly [string, string],
  lines: readonly string[],
): Piece {
  const block = tomlBlock([`[${table.join('.')}]`, ...lines]);
  return {
    ...at,
    what: 'MCP entry',
    place: table.join('.'),
    digest: digestOfText(block),
    snippet: block,
    put: (text, mark) => putToml(text, { table }, block, mark),
    take: (text, mark) => takeToml(text, { table }, mark),
  };
}

export function filePiece(at: ClientPlace, what: string, content: string, style: CommentStyle): Piece {
  const whole = ownFile(content, style);
  return {
    ...at,
    what,
    place: 'file',
    digest: digestOfText(whole),
    snippet: whole,
    put: (text) => putFile(text, whole),
    take: (text) => takeFile(text),
  };
}
