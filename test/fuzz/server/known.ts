/**
 * What the server has told us so far, by kind: ids, secrets, cursors. A case names such a thing by its place in the
 * list (`‹handoff:3›`), so that it can be written down before the thing exists, and tried again on another server.
 */
import { isFields } from '@handover/core';
import type { Json } from '../values/json.js';
import type { Random } from '../values/random.js';

const KINDS = [
  'session',
  'key',
  'handoff',
  'operation',
  'page',
  'secret',
  'cursor',
  'backup',
  'mcp',
  'message',
] as const;
export type Kind = (typeof KINDS)[number];

/** Old things stay for long, so that what has expired or ended is met again. */
const MAX_EACH = 400;
/** A server ends all but the newest HTTP sessions of a caller. */
const MAX_MCP = 8;
const PLACES = 1_000;
const RECENT = 6;
const PLACE = /‹(\w+):(-?\d+)›/g;

const BY_KEY: Readonly<Record<string, Kind>> = {
  session_id: 'session',
  sessionId: 'session',
  macpSessionId: 'session',
  sessionKey: 'key',
  handoffId: 'handoff',
  nextCursor: 'cursor',
  next_page_token: 'cursor',
  since: 'cursor',
  backupId: 'backup',
  message_id: 'message',
};
const URL_KEYS = new Set(['operationUrl', 'xdalaUrl']);
const LINK = /\/((?:operations|bundle-deploy|session-start)\/(\w+))#k=([\w-]+)$/;

export class Known {
  readonly #lists = new Map<string, string[]>(KINDS.map((kind) => [kind, []]));

  add(kind: Kind, value: string): void {
    const list = this.#lists.get(kind) ?? [];
    if (value === '' || value.length > 2_048 || list.includes(value)) return;
    list.push(value);
    if (list.length > (kind === 'mcp' ? MAX_MCP : MAX_EACH)) list.shift();
  }

  /** Takes everything from an answer that can be used later. */
  learn(answer: unknown, depth = 0): void {
    if (depth > 8) return;
    if (Array.isArray(answer)) for (const one of answer.slice(0, 50)) this.learn(one, depth + 1);
    // A refusal repeats what was sent, and that names nothing.
    if (!isFields(answer) || answer.ok === false || answer.success === false) return;
    for (const [name, value] of Object.entries(answer)) {
      if (typeof value !== 'string') this.learn(value, depth + 1);
      else if (URL_KEYS.has(name)) this.#link(value);
      else if (Object.hasOwn(BY_KEY, name)) this.add(BY_KEY[name] as Kind, value);
    }
  }

  /** Puts what is known in place of its name; a name of nothing stays as it is. By way of the text: values may be deep. */
  resolve<T extends Json>(value: T): T {
    const written = JSON.stringify(value).replace(PLACE, (name, kind: string, at: string) => {
      const list = this.#lists.get(kind) ?? [];
      const found = list.at(Number(at) % list.length);
      return found === undefined ? name : JSON.stringify(found).slice(1, -1);
    });
    return JSON.parse(written) as T;
  }

  #link(url: string): void {
    const [, path, id, secret] = LINK.exec(url) ?? [];
    if (path === undefined || id === undefined || secret === undefined) return;
    this.add('operation', id);
    this.add('page', `/api/${path}`);
    this.add('secret', secret);
  }
}

/** The name of one of the known things, of a recent one in half of the cases. */
export function place(random: Random, kind: Kind): string {
  return `‹${kind}:${random.oneIn(2) ? -random.between(1, RECENT) : random.int(PLACES)}›`;
}
