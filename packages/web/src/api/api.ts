/** Calls to this server's own API. The secret travels in a header only; nothing here is cached, no cookie is sent. */
import { FAMILIES } from '@handover/core';
import type { ChainInfo } from '../model/chain-info.js';
import type { HandoffRecord } from '../model/record.js';
import type { Place } from './secret.js';

export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** 0: no answer at all. */
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface Api {
  readonly place: Place;
  read(): Promise<HandoffRecord>;
  /** The path of the record. */
  readonly base: string;
  post(action: 'status' | 'result' | 'progress', body: object): Promise<unknown>;
  chain(chainId: number): Promise<ChainInfo>;
}

const OPTIONS: RequestInit = {
  cache: 'no-store',
  credentials: 'omit',
  referrerPolicy: 'no-referrer',
  redirect: 'error',
};

export function createApi(place: Place, secret: string): Api {
  const base = `/api/${FAMILIES[place.family].place}/${place.id}`;
  const authorization = { Authorization: `Handoff ${secret}` };
  return {
    place,
    base,
    read: async () => (await ask(base, { headers: authorization })) as HandoffRecord,
    post: async (action, body) => {
      const headers = { ...authorization, 'Content-Type': 'application/json' };
      return ask(`${base}/${action}`, { method: 'POST', headers, body: JSON.stringify(body) });
    },
    chain: async (chainId) => (await ask(`/pages/chains/${chainId}.json`, {})) as ChainInfo,
  };
}

const TIMEOUT_MS = 30_000;

async function ask(path: string, init: RequestInit): Promise<unknown> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(path, { ...OPTIONS, ...init, signal }).catch(() => {
    throw new ApiError(0, 'The server cannot be reached.');
  });
  const body: unknown = await response.json().catch(() => undefined);
  if (response.ok) return body;
  throw new ApiError(response.status, sentenceOf(body) ?? `The server answered ${response.status}.`);
}

function sentenceOf(body: unknown): string | undefined {
  if (body === null || typeof body !== 'object') return undefined;
  if ('message' in body && typeof body.message === 'string') return body.message;
  return 'error' in body && typeof body.error === 'string' ? body.error : undefined;
}
