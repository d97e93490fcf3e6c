/**
 * What a resource of this door is.
 *
 * R1. To somebody who may not see it a resource does not exist; lists, completions and subscriptions follow what reading
 *     would show to the same caller.
 * R2. What is read is JSON: data, with the name of whoever wrote it. No text of a user becomes a title or a description.
 */
import type { JsonObject } from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import type { Scope } from '../../../auth/scopes.js';
import type { Outcome } from '../../../services/outcome.js';

/** The variables of its address, decoded, and where to go on. */
export interface ResourceAddress {
  readonly values: Readonly<Record<string, string>>;
  readonly cursor?: string;
}

export interface ResourceKind {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Below `handoff://`; variables in braces, one per segment. */
  readonly path: string;
  readonly scope: Scope;
  /** Pages follow one another by `?cursor=`. */
  readonly paged?: boolean;
  readonly mimeType?: string;
  /** Never changes once it is there, so a client may keep it for so long. */
  readonly keepMs?: number;
  read(address: ResourceAddress, principal: Principal): Promise<Outcome<JsonObject>>;
  /** What a subscriber has to be told about; absent: it cannot be subscribed to. */
  readonly watch?: ResourceWatch;
}

export interface ResourceWatch {
  /** See changes/topics.ts. */
  topics(address: ResourceAddress, principal: Principal): readonly string[];
  /** Changes when what this caller can read has changed; undefined: there is nothing that it may see. */
  version(address: ResourceAddress, principal: Principal): Promise<string | undefined>;
}

export const JSON_TYPE = 'application/json';
