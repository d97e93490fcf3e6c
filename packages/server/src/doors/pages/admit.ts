/**
 * Who may use the API of a record.
 *
 * A1. The secret comes in `Authorization: Handoff <secret>`, or as `secret` in a small body; in `?k=` only where the
 *     setting for it says so. A browser never sends the secret by itself: there is no cookie, and a page of another site
 *     cannot set the header.
 * A2. The token of an ask comes in `Authorization: Ask <token>`. It posts an answer or a claim, and nothing else: for a
 *     read, and on every other route, it opens nothing. What it posts counts apart, so that nobody else can use that up.
 * A3. The order: id, secret, rate (page-rates.ts), body. Only when the secret may stand in the body is that read first,
 *     and then no more of it than a stranger may send.
 */
import { type Family, familyOfId, isFields } from '@handover/core';
import { addressGroup } from '../../config/address-group.js';
import type { Cidr } from '../../config/cidr.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { jsonLimits } from '../../config/json-limits.js';
import type { JsonScan } from '../../platform/json/json-scan.js';
import { scanFlaw } from '../../platform/json/parse-bounded.js';
import type { Asked } from '../../services/operations/browser-service.js';
import { FAMILY_SERVICES } from '../../services/operations/families/families.js';
import type { Found } from '../../services/operations/find.js';
import type { Operations } from '../../services/operations/operations.js';
import type { PostBody } from '../../services/operations/post-body.js';
import { type BodyRefusal, type BodyWanted, MAX_DEPTH, parseBody, readBody } from '../http/body.js';
import { clientAddress } from '../http/client-address.js';
import type { HttpContext } from '../http/http-types.js';
import { createPageRates, type OverPageRate } from './page-rates.js';

export interface AdmissionDependencies {
  readonly operations: Operations;
  readonly trustedProxy?: Cidr;
  readonly monotonicNow: () => number;
}

export interface Admitted {
  readonly found: Found;
  readonly body: PostBody;
}

export interface Denial {
  readonly status: 400 | 404 | 413 | 429 | 503;
  readonly message?: string;
  readonly retryAfterMs?: number;
}

export interface Admission {
  admit(c: HttpContext, family: Family): Promise<Admitted | Denial>;
}

/** A request before it is known to open anything. */
interface Caller extends Asked {
  readonly address: string | undefined;
  /** Under which name the address counts. */
  readonly peer: string | undefined;
}

export function createAdmission(options: AdmissionDependencies): Admission {
  const { operations, trustedProxy, monotonicNow } = options;
  const { browser, settings } = operations;
  const rates = createPageRates(settings, monotonicNow);

  const overRate = (caller: Caller, over: OverPageRate | undefined): Denial | undefined => {
    if (!over) return undefined;
    const { quota, message, retryAfterMs } = over;
    browser.limited({ quota, retryAfterMs, peer: caller.peer });
    return { status: 429, message, retryAfterMs };
  };

  const refuse = (caller: Caller): Denial => {
    const over = overRate(caller, rates.refused(caller));
    if (!over && caller.secret !== undefined) browser.refused(caller.peer);
    return over ?? { status: 404 };
  };

  const bySecretInBody = async (c: HttpContext, caller: Caller): Promise<Admitted | Denial> => {
    const body = await bodyOf(c, { bytes: fixedLimits.pageBodyWithoutHeaderBytes.value });
    if ('status' in body) return overRate(caller, rates.refused(caller)) ?? withHint(body);
    const secret = 'value' in body && isFields(body.value) ? textOf(body.value.secret) : undefined;
    if (secret === undefined) return refuse(caller);
    const found = await browser.open({ ...caller, secret });
    if (!found) return refuse({ ...caller, secret });
    return overRate(caller, rates.opened(caller.id, 'secret', 'post')) ?? { found, body };
  };

  const opened = (c: HttpContext, caller: Caller, token: string | undefined) => {
    if (token === undefined) return browser.open(caller);
    return c.req.method === 'POST' ? browser.openAsk(caller, token) : undefined;
  };

  return {
    async admit(c, family) {
      const token = tokenOf(c);
      const secret = token ?? secretBesideBody(c, settings.querySecrets);
      const { address } = clientAddress(c, trustedProxy);
      const caller = {
        family,
        id: c.req.param('id') ?? '',
        address,
        peer: address === undefined ? undefined : addressGroup(address),
        ...(secret !== undefined && { secret }),
      };
      if (familyOfId(caller.id) !== family) return refuse(caller);
      const found = await opened(c, caller, token);
      if (found) {
        const kind = c.req.method === 'POST' ? 'post' : 'read';
        const by = found.ask ?? (secret === undefined ? 'handle' : 'secret');
        const over = overRate(caller, rates.opened(caller.id, by, kind));
        const body =
          over ?? (await bodyOf(c, { bytes: largestBody(c, family), caller: `page ${caller.id}` }));
        return 'status' in body ? body : { found, body };
      }
      const maybeInBody = secret === undefined && settings.bodySecrets && c.req.method === 'POST';
      return maybeInBody ? bySecretInBody(c, caller) : refuse(caller);
    },
  };
}

/** With the secret beside it, a body may be larger. */
function withHint(denial: Denial): Denial {
  if (denial.status !== 413) return denial;
  return {
    ...denial,
    message: `${denial.message}; send the secret in the header: Authorization: Handoff <secret>`,
  };
}

/** A result repeats what it answers; everything else is short. */
function largestBody(c: HttpContext, family: Family): number {
  const result = c.req.path.endsWith('/result') ? FAMILY_SERVICES[family].resultBytes : undefined;
  return result ?? fixedLimits.pageStatusBytes.value;
}

/** What is too much to be parsed here stays in bytes. */
async function bodyOf(c: HttpContext, wanted: BodyWanted): Promise<PostBody | Denial> {
  if (c.req.method !== 'POST') return { value: undefined };
  const inline = jsonLimits(MAX_DEPTH);
  const large = { ...inline, values: fixedLimits.largeValues.value };
  const body = await readBody(c, { ...wanted, json: wanted.bytes > inline.bytes ? large : inline });
  if ('refusal' in body) return denialOf(body.refusal);
  const { bytes, scan } = body;
  if (scan && wanted.bytes > inline.bytes && isLarge(scan, bytes.length)) return { large: bytes };
  const parsed = parseBody(body, inline);
  return 'refusal' in parsed ? denialOf(parsed.refusal) : parsed;
}

/** More than the main thread should look at. */
const isLarge = (scan: JsonScan, bytes: number): boolean =>
  bytes > fixedLimits.smallResultBytes.value || scanFlaw(scan, bytes, jsonLimits(MAX_DEPTH)) !== undefined;

function denialOf({ status, message }: BodyRefusal): Denial {
  if (status === 503) return { status, message, retryAfterMs: 1_000 };
  return { status, message: status === 400 ? 'invalid json' : message };
}

const SCHEME = /^Handoff ([A-Za-z0-9_-]{20,200})$/;

const ASK_SCHEME = /^Ask ([A-Za-z0-9_-]{20,200})$/;

const tokenOf = (c: HttpContext): string | undefined =>
  ASK_SCHEME.exec(c.req.header('authorization') ?? '')?.[1];

function secretBesideBody(c: HttpContext, query: boolean): string | undefined {
  const header = SCHEME.exec(c.req.header('authorization') ?? '')?.[1];
  return header ?? (query ? textOf(c.req.query('k')) : undefined);
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
