/**
 * What a page may do: read its record, ask, answer and claim. The secret, or the token of an ask, is checked before
 * anything else, by `open` and `openAsk`. Only their holders learn what is wrong with a body.
 *
 * B1. A record that has expired shows nothing. What a wallet did is still taken, and answered with status and effect.
 * B2. The token of an ask answers that ask, and nothing else.
 */
import {
  BROWSER_ACTOR,
  type Family,
  isOver,
  type JsonObject,
  type OperationCommand,
  OperationStatus,
  operationConflict,
  operationExpired,
  operationNotFound,
  verificationOf,
  verificationOfStep,
} from '@handover/core';
import type { QuotaName } from '../../observe/metrics.js';
import type { Outcome } from '../outcome.js';
import { type AskGrant, findByAskToken, headInSight, makeAsk } from './asks.js';
import type { OperationDependencies } from './dependencies.js';
import { documentBytes } from './document.js';
import { FAMILY_SERVICES } from './families/families.js';
import type { PostName } from './families/family.js';
import type { PageWish } from './families/page-wish.js';
import { type Found, findByHandle, findBySecret } from './find.js';
import type { PostBody } from './post-body.js';
import { type OperationRecord, readRecord } from './record.js';
import { showToPage } from './show.js';
import { submitAll } from './submit.js';
import { twinView } from './twin.js';

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

  /** The same for the token of an ask. */
  async openAsk({ id, family }: Omit<Asked, 'secret'>, token: string): Promise<Found | undefined> {
    const found = await findByAskToken(this.#deps, id, token);
    if (found?.record.state.family !== family) return undefined;
    return { record: found.record, by: 'secret', ask: found.ask };
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
    if (found.ask !== undefined) return { rejection: operationNotFound() };
    if (isExpired(found.record)) return { rejection: operationExpired() };
    return this.#view(found, found.record);
  }

  async post(found: Found, name: PostName, body: PostBody): Promise<Outcome<Uint8Array>> {
    // Read again: the body may have taken its time to arrive.
    const before = await readRecord(this.#deps, found.record.ref);
    if (!before) return { rejection: operationNotFound() };
    const read = FAMILY_SERVICES[before.state.family].posts[name];
    if (!read) return { rejection: operationNotFound() };
    const wish = await read(this.#deps, before, body);
    if ('rejection' in wish) return wish;
    const own = found.ask === undefined ? wish : answering(wish.value, found.ask);
    if ('rejection' in own) return own;
    const granted = await this.#fulfil(before, own.value);
    if ('rejection' in granted) return granted;
    const after = await readRecord(this.#deps, before.ref);
    if (!after) return { rejection: operationNotFound() };
    return this.#answer(found, after, granted.value);
  }

  async #fulfil(record: OperationRecord, wish: PageWish): Promise<Outcome<AskGrant | undefined>> {
    if (wish.kind === 'ask') return makeAsk(this.#deps, record, BROWSER_ACTOR, wish);
    if (wish.kind === 'forbidden')
      return { rejection: operationConflict(record.state, `only the server says ${wish.word}`) };
    const commands = await this.#commandsOf(record, wish);
    const answer = await submitAll(this.#deps, record, BROWSER_ACTOR, commands);
    return answer.ok ? { value: undefined } : { rejection: answer.rejection };
  }

  async #commandsOf(
    record: OperationRecord,
    wish: Exclude<PageWish, { kind: 'ask' | 'forbidden' }>,
  ): Promise<readonly OperationCommand[]> {
    if (wish.kind === 'claims') return wish.claims.map((claim) => ({ kind: 'claim', claim }));
    if (wish.kind === 'close') return [{ kind: 'close', by: 'holder' }];
    if (wish.kind !== 'begin' || wish.account === undefined) return [wish];
    const head = await headInSight(this.#deps, record);
    return [{ ...wish, ...(head !== undefined && { head }) }];
  }

  async #answer(
    found: Found,
    { state, ...record }: OperationRecord,
    ask?: AskGrant,
  ): Promise<Outcome<Uint8Array>> {
    const { codec } = this.#deps;
    const granted = ask ? { ask: { ...ask, stepIds: [...ask.stepIds] } } : {};
    const { id, status, effect, family } = state;
    if (found.ask !== undefined || isExpired({ state, ...record }))
      return { value: documentBytes(codec, { ok: true, id, status, effect, ...granted }) };
    if (FAMILY_SERVICES[family].answersPosts === 'progress')
      return { value: documentBytes(codec, { ...progressOf(state), ...granted }) };
    return showToPage(this.#deps, { state, ...record }, sealedFor(found, state), granted);
  }

  /** This is the only place that returns secret values, and only until the record is over. */
  async #view(found: Found, record: OperationRecord): Promise<Outcome<Uint8Array>> {
    const twin = await twinView(this.#deps, record);
    return showToPage(this.#deps, record, sealedFor(found, record.state), twin);
  }
}

const sealedFor = ({ sealed }: Found, state: OperationRecord['state']): unknown =>
  isOver(state) ? undefined : sealed;

const isExpired = ({ state }: Pick<OperationRecord, 'state'>): boolean =>
  state.status === OperationStatus.Expired;

/** Of a token: an answer or a claim, for its own ask. */
function answering(wish: PageWish, ask: string): Outcome<PageWish> {
  const refused = { rejection: operationNotFound() };
  if (wish.kind === 'answer')
    return wish.ask === undefined || wish.ask === ask ? { value: { ...wish, ask } } : refused;
  if (wish.kind !== 'claims') return refused;
  if (wish.claims.some((claim) => claim.ask !== undefined && claim.ask !== ask)) return refused;
  return { value: { kind: 'claims', claims: wish.claims.map((claim) => ({ ...claim, ask })) } };
}

function progressOf(state: OperationRecord['state']): JsonObject {
  const { id, status, effect, basis } = state;
  const steps = state.steps.map((step) => ({
    id: step.id,
    status: step.status,
    effect: step.effect,
    verification: verificationOfStep(step),
  }));
  return {
    ok: true,
    handle: id,
    status,
    effect,
    basis: [...basis],
    verification: verificationOf(state),
    steps,
  };
}
