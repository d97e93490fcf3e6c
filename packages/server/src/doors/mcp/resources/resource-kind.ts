/**
 * What a resource of this door is.
 *
 * R1. For a caller who may not see it, a resource does not exist. Lists, completions and subscriptions show only what
 *     the same caller could read.
 * R2. A read returns JSON data, with the name of the agent that wrote it. No text of a user becomes a title or a
 *     description.
 */
import type { JsonObject } from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import type { Scope } from '../../../auth/scopes.js';
import type { Outcome } from '../../../services/outcome.js';

/** The decoded variables of the address, and the cursor of the page. */
export interface ResourceAddress {
  readonly values: Readonly<Record<string, string>>;
  readonly cursor?: string;
}

export interface ResourceKind {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** In front of `://`; absent: `handoff`. */
  readonly scheme?: string;
  /** What follows it; variables in braces, one per segment. */
  readonly path: string;
  readonly scope: Scope;
  /** The resource has pages, and `?cursor=` asks for the next one. */
  readonly paged?: boolean;
  readonly mimeType?: string;
  /** For a resource that never changes: how long a client may keep it. */
  readonly keepMs?: number;
  read(address: ResourceAddress, principal: Principal): Promise<Outcome<JsonObject>>;
  /** What a client gets of the value; absent: the value as JSON. */
  readonly contents?: (value: JsonObject) => ResourceContents;
  /** Says which changes a subscriber is told about; absent when nobody can subscribe to it. */
  readonly watch?: ResourceWatch;
}

export type ResourceContents = { readonly mimeType: string } & (
  | { readonly text: string }
  | { readonly blob: string }
);

export interface ResourceWatch {
  /** See changes/topics.ts. */
  topics(address: ResourceAddress, principal: Principal): readonly string[];
  /** Changes when what this caller can read has changed; undefined when it may see nothing. */
  version(address: ResourceAddress, principal: Principal): Promise<string | undefined>;
}

export const JSON_TYPE = 'application/json';
