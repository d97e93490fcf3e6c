/** What agents may ask about operations: make, look, cancel. Nothing here signs, sends or takes a key. */
import {
  type Family,
  familyOfId,
  type JsonObject,
  operationConflict,
  operationFlaw,
  operationNotFound,
  pendingOf,
  RejectionCode,
  StreamKind,
  type StreamRef,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { mapOutcome, type Outcome } from '../outcome.js';
import { OPERATION_QUOTAS } from '../quotas.js';
import { answerFlaw, countIdle } from '../rate-flaw.js';
import { answerAgain } from './answered.js';
import type { OperationDependencies } from './dependencies.js';
import { type BundleArguments, createBundleDeploy } from './families/bundle-deploy/create.js';
import { FAMILY_SERVICES } from './families/families.js';
import { createSessionStart, type SessionStartArguments } from './families/session-start/create.js';
import { createOperation, type OperationArguments } from './families/transaction/create.js';
import { type Found, findForAgent } from './find.js';
import { type OperationRecord, readRecord } from './record.js';
import { RequestStates } from './request-state.js';
import { showInList, showWithTwin } from './show.js';
import { submitTo } from './submit.js';

const STILL_ASKED = 'A wallet prompt is open. Not cancelled yet; wait_for_operation tells how it ends.';

export class OperationService {
  readonly #deps: OperationDependencies;
  readonly #states: RequestStates;

  constructor(deps: OperationDependencies) {
    this.#deps = deps;
    this.#states = new RequestStates(deps.pepper, deps.now);
  }

  createOperation(principal: Principal, args: OperationArguments): Promise<Outcome<JsonObject>> {
    return createOperation(this.#deps, principal, args);
  }

  createBundleDeploy(principal: Principal, args: BundleArguments): Promise<Outcome<JsonObject>> {
    return createBundleDeploy(this.#deps, principal, args);
  }

  createSessionStart(principal: Principal, args: SessionStartArguments): Promise<Outcome<JsonObject>> {
    return createSessionStart(this.#deps, principal, args);
  }

  /** With the secret, everything but what only the page may see; without it, what `creatorSees` of the family says. */
  async get(principal: Principal, family: Family, id: string, secret?: string): Promise<Outcome<JsonObject>> {
    const found = await findForAgent(this.#deps, principal, id, family, secret);
    if (!found) return { rejection: FAMILY_SERVICES[family].notFound };
    return this.#view(found, found.record);
  }

  async getResult(principal: Principal, family: Family, id: string): Promise<Outcome<JsonObject>> {
    const got = await this.get(principal, family, id);
    if ('rejection' in got) return got;
    const kept = [
      'handle',
      'status',
      'effect',
      'basis',
      'reasonCode',
      'reasonDetail',
      'closing',
      'late',
      'replaces',
      'twin',
      'closed',
      'over',
      'openAsks',
      'chainSight',
      'createdBy',
      'verification',
      'sessionOwnership',
      'resultSummary',
      'result',
      'deployedArtifact',
      'events',
      'receipt',
      'receipts',
      'omitted',
    ];
    return { value: Object.fromEntries(Object.entries(got.value).filter(([key]) => kept.includes(key))) };
  }

  /** One of its receipts, by number; the newest without one. */
  async receipt(principal: Principal, id: string, no?: number): Promise<Outcome<JsonObject>> {
    const family = familyOfId(id);
    const found = family && (await findForAgent(this.#deps, principal, id, family));
    if (!found) return { rejection: operationNotFound() };
    const all = await this.#deps.receipts.all(found.record);
    const newest = all.length;
    if (newest === 0)
      return { rejection: operationConflict(found.record.state, 'it is not over, so it has no receipt yet') };
    const receipt = all[(no ?? newest) - 1];
    if (!receipt) return { rejection: operationFlaw(`there is no receipt ${no}: the newest is ${newest}`) };
    return { value: { receipt: receipt as unknown as JsonObject, newest } };
  }

  /**
   * Cancels off chain only: it does not undo what was signed or sent. While a wallet may still sign, it only closes the
   * record to further asks, and how that ends is to be waited for.
   */
  async cancel(
    principal: Principal,
    family: Family,
    id: string,
    secret?: string,
  ): Promise<Outcome<JsonObject>> {
    const quota = OPERATION_QUOTAS.cancel;
    const limited = answerFlaw(this.#deps, principal, quota);
    if (limited) return { rejection: limited };
    const found = await findForAgent(this.#deps, principal, id, family, secret);
    if (!found) {
      countIdle(this.#deps, principal, quota);
      return { rejection: FAMILY_SERVICES[family].notFound };
    }
    const close = { kind: 'close' as const, by: found.by };
    const answer = await submitTo(this.#deps, found.record, principal.agent, close);
    if (!answer.ok || answer.results.every(({ entries }) => entries.length === 0))
      countIdle(this.#deps, principal, quota);
    if (!answer.ok) return { rejection: answer.rejection };
    const record = await readRecord(this.#deps, found.record.ref);
    if (!record) return { rejection: FAMILY_SERVICES[family].notFound };
    const { waiting, quiet } = pendingOf(record.state);
    const message = record.state.closing && (waiting || quiet) ? { message: STILL_ASKED } : {};
    return mapOutcome(await this.#view(found, record), (view) => ({ ...view, ...message }));
  }

  /** The caller's own records of one family, newest first; with `before`, only those that are older than that one. */
  async listRecent(
    principal: Principal,
    family: Family,
    { limit, before }: { readonly limit: number; readonly before?: string },
  ): Promise<Outcome<readonly JsonObject[]>> {
    const { notFound, rules } = FAMILY_SERVICES[family];
    if (before !== undefined && !(await findForAgent(this.#deps, principal, before, family)))
      return { rejection: notFound };
    const listed = await this.#deps.engine.list({
      tenant: principal.tenant,
      kind: StreamKind.Operation,
      agent: principal.agent,
      role: 'creator',
      newestFirst: { idPrefix: rules.prefix },
      ...(before !== undefined && { afterId: before }),
      limit,
    });
    return { value: await this.#rows(listed.map(({ ref }) => ref)) };
  }

  /** One after another, up to what a list may hold and what may be read for it, but at least one. */
  async #rows(refs: readonly StreamRef<'operation'>[]): Promise<readonly JsonObject[]> {
    const rows: JsonObject[] = [];
    let room = fixedLimits.listBytes.value;
    let unread = fixedLimits.listReadBytes.value;
    for (const ref of refs) {
      const record = await readRecord(this.#deps, ref);
      if (!record) continue;
      const { row, largeBytes } = await showInList(this.#deps, record);
      rows.push(row);
      room -= JSON.stringify(row).length;
      unread -= largeBytes;
      if (room <= 0 || unread <= 0) break;
    }
    return rows;
  }

  /** What the client carries until its user has seen the page. */
  sealRound(principal: Principal, tool: string, created: JsonObject): string | undefined {
    const id = created.id ?? created.handle;
    const url = created.operationUrl ?? created.xdalaUrl;
    if (typeof id !== 'string' || typeof url !== 'string') return undefined;
    const { warning } = created;
    return this.#states.seal(principal, tool, { id, url, extra: warning === undefined ? {} : { warning } });
  }

  knowsRound(principal: Principal, tool: string, state: string): boolean {
    return this.#states.open(principal, tool, state) !== undefined;
  }

  /** The second round of a create: a declined page cancels the record, everything else leaves it as it is. */
  async resume(
    principal: Principal,
    tool: string,
    state: string,
    declined: boolean,
  ): Promise<Outcome<JsonObject>> {
    const round = this.#states.open(principal, tool, state);
    const family = round && familyOfId(round.id);
    const found = family && (await findForAgent(this.#deps, principal, round.id, family));
    if (!found || !family) return { rejection: operationNotFound() };
    if (declined) {
      const cancelled = await this.cancel(principal, family, round.id);
      if ('rejection' in cancelled && cancelled.rejection.code !== RejectionCode.CONFLICT) return cancelled;
    }
    const record = await readRecord(this.#deps, found.record.ref);
    if (!record) return { rejection: operationNotFound() };
    const issued = { record, url: round.url };
    const answer = await answerAgain(this.#deps, FAMILY_SERVICES[family], issued);
    return mapOutcome(answer, (value) => ({ ...value, ...round.extra }));
  }

  /** Reads a record of any family by its id alone, for the MCP resource. */
  async read(principal: Principal, id: string): Promise<Outcome<JsonObject>> {
    const family = familyOfId(id);
    return family ? this.get(principal, family, id) : { rejection: operationNotFound() };
  }

  /** Another text whenever the record has changed; undefined: there is none that the principal may see. */
  async version(principal: Principal, id: string): Promise<string | undefined> {
    const family = familyOfId(id);
    const found = family && (await findForAgent(this.#deps, principal, id, family));
    return found && String(found.record.head.seq);
  }

  #view({ by }: Found, record: OperationRecord): Promise<Outcome<JsonObject>> {
    const detail = by === 'secret' ? 'full' : FAMILY_SERVICES[record.state.family].creatorSees;
    return showWithTwin(this.#deps, record, detail);
  }
}
