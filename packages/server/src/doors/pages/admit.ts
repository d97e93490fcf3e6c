/**
 * Who may use the API of a record.
 *
 * A1. The secret comes in `Authorization: Handoff <secret>`, or as `secret` in a small body; in `?k=` only where the
 *     setting for it says so. A browser never sends the secret by itself: there is no cookie, and a page of another site
 *     cannot set the header.
 * A2. The order: id, secret, rate (page-rates.ts), body. Only when the secret may stand in the body is that read first,
 *     and then no more of it than a stranger may send.
 */
import { type Codec, type Family, familyOfId, isFields } from '@handover/core';
import type { Cidr } from '../../config/cidr.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { ServiceDependencies } from '../../services/dependencies.js';
import type { Asked } from '../../services/operations/browser-service.js';
import { MAX_RECORD_BYTES } from '../../services/operations/dependencies.js';
import type { Found } from '../../services/operations/find.js';
import type { Operations } from '../../services/operations/operations.js';
import { parseJson, readBody } from '../http/body.js';
import { clientAddress } from '../http/client-address.js';
import type { HttpContext } from '../http/http-types.js';
import { createPageRates, type PageRates } from './page-rates.js';

export interface AdmissionDependencies {
  readonly deps: Pick<ServiceDependencies, 'codec'>;
  readonly operations: Operations;
  readonly trustedProxy?: Cidr;
  readonly monotonicNow: () => number;
}

export interface Admitted {
  readonly found: Found;
  readonly body: unknown;
}

export interface Denial {
  readonly status: 400 | 404 | 413 | 429;
  readonly message?: string;
  readonly retryAfterMs?: number;
}

export interface Admission {
  admit(c: HttpContext, family: Family): Promise<Admitted | Denial>;
}

/** A request before it is known to open anything. */
interface Caller extends Asked {
  readonly address: string | undefined;
}

export function createAdmission(options: AdmissionDependencies): Admission {
  const { deps, operations, trustedProxy, monotonicNow } = options;
  const { browser, settings } = operations;
  const rates = createPageRates(settings, monotonicNow);

  const refuse = (caller: Caller): Denial => {
    const over = overRate(rates.refused(caller));
    if (!over && caller.secret !== undefined) browser.refused();
    return over ?? { status: 404 };
  };

  const bySecretInBody = async (c: HttpContext, caller: Caller): Promise<Admitted | Denial> => {
    const body = await bodyOf(c, deps.codec, fixedLimits.pageBodyWithoutHeaderBytes.value);
    if ('status' in body) return overRate(rates.refused(caller)) ?? body;
    const secret = isFields(body.value) ? textOf(body.value.secret) : undefined;
    if (secret === undefined) return refuse(caller);
    const found = await browser.open({ ...caller, secret });
    if (!found) return refuse({ ...caller, secret });
    return overRate(rates.opened(caller.id, 'secret')) ?? { found, body: body.value };
  };

  return {
    async admit(c, family) {
      const secret = secretBesideBody(c, settings.querySecrets);
      const { address } = clientAddress(c, trustedProxy);
      const caller = {
        family,
        id: c.req.param('id') ?? '',
        address,
        ...(secret !== undefined && { secret }),
      };
      if (familyOfId(caller.id) !== family) return refuse(caller);
      const found = await browser.open(caller);
      if (found) {
        const over = overRate(rates.opened(caller.id, secret === undefined ? 'handle' : 'secret'));
        const body = over ?? (await bodyOf(c, deps.codec, largestBody(c)));
        return 'status' in body ? body : { found, body: body.value };
      }
      const maybeInBody = secret === undefined && settings.bodySecrets && c.req.method === 'POST';
      return maybeInBody ? bySecretInBody(c, caller) : refuse(caller);
    },
  };
}

function overRate(decision: ReturnType<PageRates['opened']>): Denial | undefined {
  return decision.allowed ? undefined : { status: 429, retryAfterMs: decision.retryAfterMs };
}

/** A result may be as large as the record that it answers. */
const largestBody = (c: HttpContext): number =>
  c.req.path.endsWith('/result') ? MAX_RECORD_BYTES : fixedLimits.pageStatusBytes.value;

async function bodyOf(
  c: HttpContext,
  codec: Codec,
  limit: number,
): Promise<{ readonly value: unknown } | Denial> {
  if (c.req.method !== 'POST') return { value: undefined };
  const read = await readBody(c, limit);
  if ('rejection' in read) return { status: 413, message: read.rejection.message };
  const parsed = parseJson(read.value, codec);
  return 'rejection' in parsed ? { status: 400, message: 'invalid json' } : parsed;
}

const SCHEME = /^Handoff ([A-Za-z0-9_-]{20,200})$/;

function secretBesideBody(c: HttpContext, query: boolean): string | undefined {
  const header = SCHEME.exec(c.req.header('authorization') ?? '')?.[1];
  return header ?? (query ? textOf(c.req.query('k')) : undefined);
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
