/**
 * What a client carries between the two rounds of opening a page: which record it was and the URL, whose secret is shown once.
 * Encrypted and bound to tool and principal: to the client it is noise, and to anybody else's client it is worthless.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { isFields, isText, type JsonObject } from '@handover/core';
import type { Principal } from '../../auth/principal.js';

export interface Round {
  readonly id: string;
  readonly url: string;
  /** What the create result says beside the record. */
  readonly extra: JsonObject;
}

const IV = 12;
const TAG = 16;
const LIFE_MS = 24 * 60 * 60 * 1000;

export class RequestStates {
  readonly #key: Buffer;
  readonly #now: () => number;

  constructor(pepper: Uint8Array, now: () => number) {
    this.#key = Buffer.from(hkdfSync('sha256', pepper, '', 'handover/request-state', 32));
    this.#now = now;
  }

  seal(principal: Principal, tool: string, round: Round): string {
    const iv = randomBytes(IV);
    const cipher = createCipheriv('aes-256-gcm', this.#key, iv).setAAD(bound(principal, tool));
    const text = JSON.stringify({ ...round, until: this.#now() + LIFE_MS });
    const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64url');
  }

  /** Undefined when it was not made here, for this principal and tool, in time. */
  open(principal: Principal, tool: string, state: string): Round | undefined {
    try {
      const bytes = Buffer.from(state, 'base64url');
      const decipher = createDecipheriv('aes-256-gcm', this.#key, bytes.subarray(0, IV)).setAAD(
        bound(principal, tool),
      );
      decipher.setAuthTag(bytes.subarray(IV, IV + TAG));
      const text = Buffer.concat([decipher.update(bytes.subarray(IV + TAG)), decipher.final()]).toString(
        'utf8',
      );
      const { id, url, extra, until } = JSON.parse(text) as Record<string, unknown>;
      const fresh = typeof until === 'number' && until >= this.#now();
      if (fresh && isText(id) && isText(url) && isFields(extra))
        return { id, url, extra: extra as JsonObject };
    } catch {
      // Whatever is wrong with it, it is not ours.
    }
    return undefined;
  }
}

const bound = ({ tenant, agent }: Principal, tool: string): Buffer =>
  Buffer.from(JSON.stringify(['handover/round', tenant, agent, tool]));
