/** What agents may ask about operations: make, look, cancel. Nothing here signs, sends or takes a key. */
import {
  type Family,
  familyOfId,
  type JsonObject,
  operationNotFound,
  RejectionCode,
  StreamKind,
} from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import type { Outcome } from '../outcome.js';
import { OPERATION_QUOTAS } from '../quotas.js';
import { countIdle, rateFlaw } from '../rate-flaw.js';
import type { OperationDependencies } from './dependencies.js';
import { type BundleArguments, createBundleDeploy } from './families/bundle-deploy/create.js';
import { asJson } from './families/common-view.js';
import { FAMILY_SERVICES } from './families/families.js';
import type { Detail } from './families/family.js';
import { createSessionStart, type SessionStartArguments } from './families/session-start/create.js';
import { createOperation, type OperationArguments } from './families/transaction/create.js';
import { type Found, findForAgent } from './find.js';
import { type OperationRecord, readRecord } from './record.js';
import { RequestStates } from './request-state.js';
import { submitTo } from './submit.js';

/** How many records are read. The list is ordered by id and ids are random, so it has to be read to be sorted. */
const LISTED = 10_000;

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
    const limited = rateFlaw(this.#deps, principal, OPERATION_QUOTAS.read);
    if (limited) return { rejection: limited };
    const found = await findForAgent(this.#deps, principal, id, family, secret);
    if (!found) return { rejection: FAMILY_SERVICES[family].notFound };
    return { value: await this.#view(found, found.record) };
  }

  async getResult(principal: Principal, family: Family, id: string): Promise<Outcome<JsonObject>> {
    const got = await this.get(principal, family, id);
    if ('rejection' in got) return got;
    const kept = [
      'handle',
      'status',
      'verification',
      'sessionOwnership',
      'resultSummary',
      'result',
      'deployedArtifact',
      'events',
      'receipt',
    ];
    return { value: Object.fromEntries(Object.entries(got.value).filter(([key]) => kept.includes(key))) };
  }

  /** Cancels off chain only: it does not undo what was signed or sent. It does not change a record that is over. */
  async cancel(
    principal: Principal,
    family: Family,
    id: string,
    secret?: string,
  ): Promise<Outcome<JsonObject>> {
    const quota = OPERATION_QUOTAS.cancel;
    const limited = rateFlaw(this.#deps, principal, quota);
    if (limited) return { rejection: limited };
    const found = await findForAgent(this.#deps, principal, id, family, secret);
    if (!found) {
      countIdle(this.#deps, principal, quota);
      return { rejection: FAMILY_SERVICES[family].notFound };
    }
    const cancel = { kind: 'cancel' as const, by: found.by };
    const answer = await submitTo(this.#deps, found.record, principal.agent, cancel);
    if (!answer.ok || answer.results.every(({ entries }) => entries.length === 0))
      countIdle(this.#deps, principal, quota);
    if (!answer.ok) return { rejection: answer.rejection };
    const record = await readRecord(this.#deps, found.record.ref);
    if (!record) return { rejection: FAMILY_SERVICES[family].notFound };
    return { value: await this.#view(found, record) };
  }

  /** The caller's own records of one family, newest first. */
  async listRecent(
    principal: Principal,
    family: Family,
    limit: number,
  ): Promise<Outcome<readonly JsonObject[]>> {
    const limited = rateFlaw(this.#deps, principal, OPERATION_QUOTAS.read);
    if (limited) return { rejection: limited };
    const { engine } = this.#deps;
    const { tenant, agent } = principal;
    const listed = await engine.list({
      tenant,
      kind: StreamKind.Operation,
      agent,
      role: 'creator',
      limit: LISTED,
    });
    const newest = listed
      .filter(({ ref }) => familyOfId(ref.id) === family)
      .sort((a, b) => b.row.createdAt - a.row.createdAt || (a.ref.id < b.ref.id ? -1 : 1))
      .slice(0, limit);
    const views: JsonObject[] = [];
    // One after another: a document may hold megabytes, of which the view keeps almost nothing.
    for (const { ref } of newest) {
      const record = await readRecord(this.#deps, ref);
      if (record) views.push(asJson(await FAMILY_SERVICES[family].view(this.#deps, record, 'metadata')));
    }
    return { value: views };
  }

  /** What the client carries until its user has seen the page. */
  sealRound(principal: Principal, tool: string, created: JsonObject): string | undefined {
    const id = created.id ?? created.handle;
    const url = created.operationUrl ?? created.xdalaUrl;
    if (typeof id !== 'string' || typeof url !== 'string') return undefined;
    const { warning } = created;
    return this.#states.seal(principal, tool, { id, url, extra: warning === undefined ? {} : { warning } });
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
    const answer = await FAMILY_SERVICES[family].createdAnswer(this.#deps, record, round.url);
    return { value: { ...answer, ...round.extra } };
  }

  /** Reads a record of any family by its id alone, for the MCP resource. */
  async read(principal: Principal, id: string): Promise<Outcome<JsonObject>> {
    const family = familyOfId(id);
    return family ? this.get(principal, family, id) : { rejection: operationNotFound() };
  }

  find(principal: Principal, family: Family, id: string): Promise<Found | undefined> {
    return findForAgent(this.#deps, principal, id, family);
  }

  async #view({ by }: Found, record: OperationRecord): Promise<JsonObject> {
    const family = FAMILY_SERVICES[record.state.family];
    const detail: Detail = by === 'secret' ? 'full' : family.creatorSees;
    return asJson(await family.view(this.#deps, record, detail));
  }
}
