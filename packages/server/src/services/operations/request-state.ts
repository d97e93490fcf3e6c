/**
 * What a client carries between the two rounds of opening a page: which record it was and the URL, whose secret is
 * shown once. It is encrypted and bound to tool and principal: the client cannot read it, and no other
 * principal can use it.
 */
import { isFields, isText, type JsonObject } from '@handover/core';
import type { Principal } from '../../auth/principal.js';
import { boxKey, openBox, sealBox } from '../../keys/sealed-box.js';

export interface Round {
  readonly id: string;
  readonly url: string;
  /** What the create result says beside the record. */
  readonly extra: JsonObject;
}

const LIFE_MS = 24 * 60 * 60 * 1000;

export class RequestStates {
  readonly #key: Uint8Array;
  readonly #now: () => number;

  constructor(pepper: Uint8Array, now: () => number) {
    this.#key = boxKey(pepper, '', 'handover/request-state');
    this.#now = now;
  }

  seal(principal: Principal, tool: string, round: Round): string {
    const text = JSON.stringify({ ...round, until: this.#now() + LIFE_MS });
    return Buffer.from(sealBox(this.#key, text, bound(principal, tool))).toString('base64url');
  }

  /** Undefined unless this server made it, for this principal and tool, and it has not expired. */
  open(principal: Principal, tool: string, state: string): Round | undefined {
    const text = openBox(this.#key, Buffer.from(state, 'base64url'), bound(principal, tool));
    if (text === undefined) return undefined;
    // Only this server can have sealed it, so it is JSON.
    const { id, url, extra, until } = JSON.parse(text) as Record<string, unknown>;
    const fresh = typeof until === 'number' && until >= this.#now();
    if (!fresh || !isText(id) || !isText(url) || !isFields(extra)) return undefined;
    return { id, url, extra: extra as JsonObject };
  }
}

const bound = ({ tenant, agent }: Principal, tool: string): Buffer =>
  Buffer.from(JSON.stringify(['handover/round', tenant, agent, tool]));
