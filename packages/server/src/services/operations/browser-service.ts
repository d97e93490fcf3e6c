/**
 * What a page may do: read its record, and claim. The secret is checked before anything else is looked at; what is wrong with
 * a body is said only to its holder.
 */
import {
  BROWSER_ACTOR,
  canonicalJson,
  Family,
  isFields,
  isOver,
  type JsonObject,
  type OperationCommand,
  OperationStatus,
  operationExpired,
  operationNotFound,
  verificationOf,
} from '@handover/core';
import type { Outcome } from '../outcome.js';
import type { OperationDependencies } from './dependencies.js';
import { documentBytes } from './document.js';
import { type Found, findByHandle, findBySecret } from './find.js';
import { keptResult, outcomeOf, resultFlaw } from './posted-result.js';
import { readPost, readProgress } from './posted-status.js';
import { type OperationRecord, readRecord } from './record.js';
import { withSecrets } from './secret-values.js';
import { submitTo } from './submit.js';
import { viewOf } from './views.js';

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

  async postStatus(asked: Asked, body: unknown): Promise<Outcome<JsonObject>> {
    const found = await this.#find(asked);
    if ('rejection' in found) return found;
    const command = readPost(asked.family, body, this.#deps);
    if ('rejection' in command) return command;
    return this.#claim(asked, found.value, command.value);
  }

  async postProgress(asked: Asked, body: unknown): Promise<Outcome<JsonObject>> {
    const found = await this.#find(asked);
    if ('rejection' in found) return found;
    const command = readProgress(found.value.record, body, this.#deps);
    if ('rejection' in command) return command;
    return this.#claim(asked, found.value, command.value);
  }

  async postResult(asked: Asked, body: unknown): Promise<Outcome<JsonObject>> {
    const found = await this.#find(asked);
    if ('rejection' in found) return found;
    const { record } = found.value;
    const flaw = resultFlaw(record.state, await this.#deps.documents.created(record), body);
    if (flaw) return { rejection: flaw };
    const document = keptResult(asked.family, body as JsonObject);
    const { codec } = this.#deps;
    const digest = `sha256:${codec.sha256(codec.utf8(canonicalJson(document)))}`;
    const outcome = outcomeOf(asked.family, document);
    return this.#claim(asked, found.value, {
      kind: 'result',
      outcome,
      digest,
      payload: documentBytes(codec, document),
    });
  }

  async #claim(asked: Asked, found: Found, command: OperationCommand): Promise<Outcome<JsonObject>> {
    const answer = await submitTo(this.#deps, found.record, BROWSER_ACTOR, command);
    if (!answer.ok) return { rejection: answer.rejection };
    const record = await readRecord(this.#deps, found.record.ref);
    if (!record) return { rejection: operationNotFound() };
    return { value: asked.family === Family.Operation ? await this.#view(found, record) : brief(record) };
  }

  async #find(asked: Asked): Promise<Outcome<Found>> {
    const { id, family, secret } = asked;
    const found =
      secret === undefined
        ? await findByHandle(this.#deps, id, family)
        : await findBySecret(this.#deps, id, family, secret);
    if (!found) {
      // Links are tried out by bots without a secret; a wrong secret is another matter.
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

  /** The only place where secret values come back, and only while they are of use. */
  async #view({ sealed }: Found, record: OperationRecord): Promise<JsonObject> {
    const view = await viewOf(this.#deps, record, 'full');
    if (sealed === undefined || isOver(record.state) || !isFields(view.request)) return view;
    return { ...view, request: withSecrets(view.request as JsonObject, sealed) };
  }
}

function brief({ state }: OperationRecord): JsonObject {
  const steps = state.steps.map(({ id, status, verification }) => ({ id, status, verification }));
  return { ok: true, handle: state.id, status: state.status, verification: verificationOf(state), steps };
}
