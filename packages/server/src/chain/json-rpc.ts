/**
 * JSON-RPC over HTTP to one address that the operator configured.
 *
 * J1. No redirect is followed: the address is a promise about who answers.
 * J2. An attempt has a time limit, an answer a limit in bytes and values, both for the body after decompression.
 * J3. Every method called here only reads, so a request that failed on the way is repeated a few times.
 * J4. An answer counts only if it is a JSON-RPC answer to this very request. All else is ChainUnavailable: nothing was
 *     learned. Without any answer to this request it is ChainSilent.
 * J5. No error names the address, its credentials or what it answered.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { fixedLimits } from '../config/fixed-limits.js';
import { type JsonFlaw, parseBounded } from '../platform/json/parse-bounded.js';
import type { ReadMethod } from './methods.js';
import { ChainErrored, ChainRefused, ChainSilent, ChainTooLarge, ChainUnavailable } from './port.js';

export interface RpcLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Waits before each further attempt. */
  readonly retryAfterMs: readonly number[];
}

export const RPC_LIMITS: RpcLimits = {
  timeoutMs: fixedLimits.chainRequestMs.value,
  maxBytes: fixedLimits.rpcBytes.value,
  retryAfterMs: [150, 600],
};

/** A receipt with thousands of log lines passes; a code or a text of some megabytes is one value. */
const ANSWER_LIMITS = {
  depth: 64,
  values: fixedLimits.rpcValues.value,
  bytes: 1_048_576,
  longer: { bytes: fixedLimits.rpcBytes.value, values: fixedLimits.longTextValues.value },
};

export interface JsonRpc {
  /** The `result`, whatever it is. Throws ChainUnavailable or ChainRefused. */
  ask(method: ReadMethod, params: readonly unknown[]): Promise<unknown>;
}

export function createJsonRpc(url: URL, limits: RpcLimits = RPC_LIMITS): JsonRpc {
  const { target, headers } = requestParts(url);
  let last = 0;
  const once = async (method: ReadMethod, params: readonly unknown[]): Promise<unknown> => {
    last += 1;
    const id = last;
    const body = JSON.stringify({ jsonrpc: '2.0', id, method, params });
    return readAnswer(await post(target, headers, body, limits), id);
  };
  return {
    async ask(method, params) {
      const started = performance.now();
      for (const wait of limits.retryAfterMs) {
        try {
          return await once(method, params);
        } catch (failure) {
          // What is too large now is too large again.
          if (!(failure instanceof ChainUnavailable) || failure instanceof ChainTooLarge) throw failure;
          // A caller is waiting, so a slow attempt is not repeated.
          if (performance.now() - started > limits.timeoutMs / 2) throw failure;
          await sleep(wait);
        }
      }
      return once(method, params);
    },
  };
}

/** fetch refuses credentials inside a URL, so they become an authorization header. */
function requestParts(url: URL): { target: string; headers: Record<string, string> } {
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json',
  };
  const { username, password } = url;
  if (username === '' && password === '') return { target: url.href, headers };
  const plain = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  const authorization = `Basic ${Buffer.from(plain, 'utf8').toString('base64')}`;
  return { target: bare.href, headers: { ...headers, authorization } };
}

async function post(
  target: string,
  headers: Record<string, string>,
  body: string,
  { timeoutMs, maxBytes }: RpcLimits,
): Promise<Uint8Array> {
  const stop = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers,
      body,
      redirect: 'error',
      credentials: 'omit',
      signal: stop,
    });
    return await readBytes(response, maxBytes);
  } catch (failure) {
    if (failure instanceof ChainUnavailable) throw failure;
    // No cause: it would name the address.
    throw new ChainSilent(stop.aborted ? 'the RPC did not answer in time' : 'the RPC cannot be reached');
  }
}

async function readBytes(response: Response, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the body, and with it the connection.
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new ChainTooLarge('the RPC answered more than it may');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}

/** Some nodes answer errors with an HTTP error status and a proper body, so the body alone decides. */
function readAnswer(answered: Uint8Array, id: number): unknown {
  const parsed = parseBounded(answered, ANSWER_LIMITS);
  if ('flaw' in parsed) throw flawed(parsed.flaw);
  const answer = parsed.value;
  if (typeof answer !== 'object' || answer === null || !('id' in answer) || answer.id !== id)
    throw new ChainSilent('the RPC answered something else than it was asked');
  if ('error' in answer && answer.error !== null && answer.error !== undefined) throw refusal(answer.error);
  if (!('result' in answer)) throw new ChainUnavailable('the RPC answered without a result');
  return answer.result;
}

const LIMITS: readonly JsonFlaw['kind'][] = ['bytes', 'depth', 'values'];

/** Whoever answers too much is there: only what is no JSON could be anybody's. */
function flawed({ kind, message }: JsonFlaw): ChainUnavailable {
  const text = `what the RPC answered ${message}`;
  return LIMITS.includes(kind) ? new ChainTooLarge(text) : new ChainSilent(text);
}

const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
/** geth's code of a reverted call. */
const REVERTED = 3;
/** Other nodes say it in words. Any other error (syncing, pruned, limited) says nothing about the chain. */
const REVERT_WORDS = /revert|invalid opcode|invalid jump|out of gas|stack (?:under|over)flow/i;

function refusal(error: unknown): Error {
  const { code, message } = (typeof error === 'object' ? error : {}) as { code?: unknown; message?: unknown };
  if (code === METHOD_NOT_FOUND) return new ChainRefused('the RPC does not know this method');
  if (code === INVALID_PARAMS) return new ChainRefused('the RPC does not take these parameters');
  if (code === REVERTED || (typeof message === 'string' && REVERT_WORDS.test(message)))
    return new ChainRefused('the call reverted');
  return new ChainErrored('the RPC answered with an error', typeof code === 'number' ? code : undefined);
}
