/**
 * What a page may do: read its record, and claim. The secret is checked before anything else. Only the holder of the
 * secret learns what is wrong with a body.
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
import type { Outcome } from '../outcome.js';
import type { OperationDependencies } from './dependencies.js';
import { asJson } from './families/common-view.js';
import { FAMILY_SERVICES } from './families/families.js';
import type { PostName } from './families/family.js';
import { type Found, findByHandle, findBySecret } from './find.js';
import { type OperationRecord, readRecord } from './record.js';
import { submitTo } from './submit.js';

export interface Asked {
  readonly family: Family;
  readonly id: string;
  readonly secret?: string;
}

export class BrowserService {
  readonly #deps: OperationDependencies;

  constructor(deps: OperationDependencies) {
    this.#deps = deps;
  }

  async get(asked: Asked): Promise<Outcome<JsonObject>> {
    const found = await this.#find(asked);
    if ('rejection' in found) return found;
    return { value: await this.#view(found.value, found.value.record) };
  }

  async post(asked: Asked, name: PostName, body: unknown): Promise<Outcome<JsonObject>> {
    const allowed = await this.#find(asked);
    if ('rejection' in allowed) return allowed;
    const { value: found } = allowed;
    const read = FAMILY_SERVICES[asked.family].posts[name];
    if (!read) return { rejection: operationNotFound() };
    const command = await read(this.#deps, found.record, body);
    if ('rejection' in command) return command;
    const answer = await submitTo(this.#deps, found.record, BROWSER_ACTOR, command.value);
    if (!answer.ok) return { rejection: answer.rejection };
    const record = await readRecord(this.#deps, found.record.ref);
    if (!record) return { rejection: operationNotFound() };
    const { answersPosts } = FAMILY_SERVICES[asked.family];
    return { value: answersPosts === 'record' ? await this.#view(found, record) : progressOf(record) };
  }

  async #find(asked: Asked): Promise<Outcome<Found>> {
    const { id, family, secret } = asked;
    const found =
      secret === undefined
        ? await findByHandle(this.#deps, id, family)
        : await findBySecret(this.#deps, id, family, secret);
    if (!found) {
      // Bots open links without a secret, so only a wrong secret is written to the security log.
      if (secret !== undefined) this.#refused();
      return { rejection: operationNotFound() };
    }
    return found.record.state.status === OperationStatus.Expired
      ? { rejection: operationExpired() }
      : { value: found };
  }

  #refused(): void {
    this.#deps.audit.authenticationFailed({ door: 'pages', reason: 'the secret opens nothing' });
    this.#deps.metrics.authenticationFailed();
  }

  /** This is the only place that returns secret values, and only until the record is over. */
  async #view({ sealed }: Found, record: OperationRecord): Promise<JsonObject> {
    const family = FAMILY_SERVICES[record.state.family];
    const view = asJson(await family.view(this.#deps, record, 'full'));
    if (sealed === undefined || isOver(record.state)) return view;
    return family.unsealed?.(view, sealed) ?? view;
  }
}

function progressOf({ state }: OperationRecord): JsonObject {
  const steps = state.steps.map(({ id, status, verification }) => ({ id, status, verification }));
  return { ok: true, handle: state.id, status: state.status, verification: verificationOf(state), steps };
}
