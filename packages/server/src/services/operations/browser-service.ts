/**
 * What a page may do: read its record, and claim. The secret is checked before anything else, by `open`. Only the holder
 * of the secret learns what is wrong with a body.
 */
import {
  BROWSER_ACTOR,
  type Family,
  isOver,
  type JsonObject,
  OperationStatus,
  operationExpired,
  operationNotFound,
  verificationOf,
} from '@handover/core';
import type { QuotaName } from '../../observe/metrics.js';
import type { Outcome } from '../outcome.js';
import type { OperationDependencies } from './dependencies.js';
import { documentBytes } from './document.js';
import { FAMILY_SERVICES } from './families/families.js';
import type { PostName } from './families/family.js';
import { type Found, findByHandle, findBySecret } from './find.js';
import type { PostBody } from './post-body.js';
import { type OperationRecord, readRecord } from './record.js';
import { showToPage } from './show.js';
import { submitTo } from './submit.js';

export interface Asked {
  readonly family: Family;
  readonly id: string;
  readonly secret?: string;
}

export interface LimitedPage {
  readonly quota: QuotaName;
  readonly retryAfterMs: number;
  /** Under which name the address of the client counts. */
  readonly peer: string | undefined;
}

export class BrowserService {
  readonly #deps: OperationDependencies;

  constructor(deps: OperationDependencies) {
    this.#deps = deps;
  }

  /** The record that the secret opens, or the handle where that is enough; undefined: nothing, whatever the reason. */
  open({ id, family, secret }: Asked): Promise<Found | undefined> {
    return secret === undefined
      ? findByHandle(this.#deps, id, family)
      : findBySecret(this.#deps, id, family, secret);
  }

  /** For the security log. Bots open links without a secret, so only a wrong secret is written there. */
  refused(peer: string | undefined): void {
    const reason = 'the secret opens nothing';
    this.#deps.audit.authenticationFailed({ door: 'pages', reason, ...(peer !== undefined && { peer }) });
    this.#deps.metrics.authenticationFailed();
  }

  /** For the security log and the metrics: somebody asks too often, perhaps because of guessing. */
  limited({ quota, retryAfterMs, peer }: LimitedPage): void {
    this.#deps.metrics.rateLimited(quota);
    this.#deps.audit.quotaHit({ quota, retryAfterMs, ...(peer !== undefined && { peer }) });
  }

  /** JSON text, as every answer to a page: a record may be too large to be parsed beside everything else. */
  async get(found: Found): Promise<Outcome<Uint8Array>> {
    if (isExpired(found.record)) return { rejection: operationExpired() };
    return this.#view(found, found.record);
  }

  async post(found: Found, name: PostName, body: PostBody): Promise<Outcome<Uint8Array>> {
    // Read again: the body may have taken its time to arrive.
    const before = await readRecord(this.#deps, found.record.ref);
    if (!before) return { rejection: operationNotFound() };
    if (isExpired(before)) return { rejection: operationExpired() };
    const { posts, answersPosts } = FAMILY_SERVICES[before.state.family];
    const read = posts[name];
    if (!read) return { rejection: operationNotFound() };
    const command = await read(this.#deps, before, body);
    if ('rejection' in command) return command;
    const answer = await submitTo(this.#deps, before, BROWSER_ACTOR, command.value);
    if (!answer.ok) return { rejection: answer.rejection };
    const after = await readRecord(this.#deps, before.ref);
    if (!after) return { rejection: operationNotFound() };
    if (answersPosts === 'record') return this.#view(found, after);
    return { value: documentBytes(this.#deps.codec, progressOf(after)) };
  }

  /** This is the only place that returns secret values, and only until the record is over. */
  #view({ sealed }: Found, record: OperationRecord): Promise<Outcome<Uint8Array>> {
    return showToPage(this.#deps, record, isOver(record.state) ? undefined : sealed);
  }
}

const isExpired = ({ state }: OperationRecord): boolean => state.status === OperationStatus.Expired;

function progressOf({ state }: OperationRecord): JsonObject {
  const steps = state.steps.map(({ id, status, verification }) => ({ id, status, verification }));
  return { ok: true, handle: state.id, status: state.status, verification: verificationOf(state), steps };
}
