/**
 * Static tokens: a fixed table from secret to principal, read once at start-up.
 *
 * S1. Tokens are not kept: each is replaced by HMAC-SHA-256 under a key that lives only in this process.
 * S2. Lookup is by that digest, which an attacker can neither predict nor steer, and the match is confirmed in constant
 *     time; how long an answer takes says nothing about a token.
 * S3. Anything doubtful in the table refuses the whole table: a token that silently never works, or works twice, is worse.
 * S4. A token that can be guessed is noted by its place: whether it is refused depends on who can reach the server.
 * S5. No message repeats a token; items are named by their place in the list.
 */

import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { isFields } from '@handover/core';
import { fixedLimits } from '../config/fixed-limits.js';
import { syntaxPlace } from '../platform/json/syntax-place.js';
import { AGENT_NAME_RULE, isAgentName } from './agent-name.js';
import { CAPABILITY_FIELDS, isTextList, readCapabilities } from './capabilities.js';
import { IDENTITY_TEXT_RULE, isIdentityText } from './identity-text.js';
import type { Principal } from './principal.js';
import { DEFAULT_SCOPES } from './scopes.js';
import { unknownField, unknownScope } from './unknown-names.js';

const MAX_TOKEN_BYTES = fixedLimits.staticTokenBytes.value;
const MIN_TOKEN_BYTES = fixedLimits.shortestStaticTokenBytes.value;
/** What survives a header line unchanged. */
const VISIBLE_ASCII = /^[\x21-\x7e]+$/;

export interface StaticTokens {
  readonly size: number;
  /** Places in the list, from 1, of tokens that are too short for a server that others can reach. */
  readonly short: readonly number[];
  find(token: string): Principal | undefined;
}

export type StaticTokensResult =
  | { readonly ok: true; readonly tokens: StaticTokens }
  | { readonly ok: false; readonly flaws: readonly string[] };

export function readStaticTokens(json: string): StaticTokensResult {
  const items = listOf(json);
  if (typeof items === 'string') return { ok: false, flaws: [items] };
  if (items.length === 0) return { ok: false, flaws: ['the list of tokens is empty'] };
  const table = new TokenTable();
  const flaws = items.flatMap((item, index) => {
    const flaw = table.add(item, index + 1);
    return flaw === undefined ? [] : [`item ${index + 1}: ${flaw}`];
  });
  return flaws.length > 0 ? { ok: false, flaws } : { ok: true, tokens: table };
}

class TokenTable implements StaticTokens {
  readonly #short: number[] = [];
  readonly #key = randomBytes(32);
  readonly #rows = new Map<string, { readonly digest: Buffer; readonly principal: Principal }>();

  get size(): number {
    return this.#rows.size;
  }

  get short(): readonly number[] {
    return this.#short;
  }

  find(token: string): Principal | undefined {
    const digest = this.#digest(token);
    const row = this.#rows.get(digest.toString('base64'));
    return row !== undefined && timingSafeEqual(row.digest, digest) ? row.principal : undefined;
  }

  /** Returns what is wrong with the item, if anything. */
  add(item: unknown, place: number): string | undefined {
    if (!isFields(item)) return 'must be an object';
    const token = item.token;
    const flaw = tokenFlaw(token);
    if (flaw !== undefined || typeof token !== 'string') return flaw;
    const principal = principalOf(item);
    if (typeof principal === 'string') return principal;
    const digest = this.#digest(token);
    const key = digest.toString('base64');
    if (this.#rows.has(key)) return 'the same token appears twice';
    this.#rows.set(key, { digest, principal });
    if (Buffer.byteLength(token) < MIN_TOKEN_BYTES) this.#short.push(place);
    return undefined;
  }

  #digest(token: string): Buffer {
    return createHmac('sha256', this.#key).update(token).digest();
  }
}

function tokenFlaw(token: unknown): string | undefined {
  if (typeof token !== 'string' || token === '') return 'token is missing';
  if (Buffer.byteLength(token) > MAX_TOKEN_BYTES) return `token is longer than ${MAX_TOKEN_BYTES} bytes`;
  if (!VISIBLE_ASCII.test(token))
    return 'token must be visible ASCII without spaces (it travels in a header)';
  if (token.includes('.'))
    return 'token contains a dot; tokens with a dot are read as JWTs, so it would never match';
  return undefined;
}

const FIELDS: ReadonlySet<string> = new Set(['token', 'sender', 'tenant', 'scopes', ...CAPABILITY_FIELDS]);

function nameFlaw(item: Readonly<Record<string, unknown>>): string | undefined {
  return (
    unknownField(item, FIELDS, 'a token') ?? (isTextList(item.scopes) ? unknownScope(item.scopes) : undefined)
  );
}

function principalOf(item: Readonly<Record<string, unknown>>): Principal | string {
  const { sender, tenant = 'default', scopes } = item;
  const flaw = nameFlaw(item);
  if (flaw !== undefined) return flaw;
  if (!isAgentName(sender)) return `sender must be ${AGENT_NAME_RULE}`;
  if (!isIdentityText(tenant)) return `tenant must be ${IDENTITY_TEXT_RULE}`;
  if (scopes !== undefined && !isTextList(scopes)) return 'scopes must be a list of scope names';
  const read = readCapabilities(item, 'all');
  if (!read.ok) return read.flaw;
  return Object.freeze({
    tenant,
    agent: sender,
    ...read.capabilities,
    scopes: scopes === undefined ? DEFAULT_SCOPES : new Set(scopes),
  });
}

const FORM = 'must be JSON: a list of tokens, or {"tokens": [...]}';

/** The list, or what is wrong. */
function listOf(json: string): readonly unknown[] | string {
  try {
    const parsed: unknown = JSON.parse(json);
    const list = isFields(parsed) ? parsed.tokens : parsed;
    return Array.isArray(list) ? list : FORM;
  } catch (thrown) {
    return `${FORM}${syntaxPlace(json, thrown)}`;
  }
}
