/** The API behind the review pages, with the right secret, a wrong one or none, through every state of an operation. */
import { B1, S1 } from '../decoders/bundles.js';
import { type Json, json, jsonText, mutateJson } from '../values/json.js';
import type { Random } from '../values/random.js';
import { text } from '../values/texts.js';
import { type HttpCase, sendHttp } from './http.js';
import { serverTarget } from './server-target.js';

const HASH = `0x${'a1'.repeat(32)}`;
const ADDRESS = `0x${'1'.repeat(40)}`;
const COMPLETED_AT = '2026-11-15T12:00:00Z';

const STATUS: Json = { status: 'tx_requested', stepId: 'step_1', stepStatus: 'requested', txHash: HASH, account: ADDRESS, error: 'no' };
const PROGRESS: Json = { index: 0, stepStatus: 'requested', sessionId: '7', owner: ADDRESS, account: ADDRESS };
const WORDS = ['opened', 'wallet_connected', 'tx_requested', 'tx_submitted', 'failed', 'cancelled', 'completed', 'imported', 'deployed', 'requested', 'submitted', 'started'];

const bundleResult = (handle: string): Json => ({
  handle,
  type: 'xdala_bundle_deploy_result',
  status: 'completed',
  completedAt: COMPLETED_AT,
  inputType: 'multiBundle',
  artifact: B1,
  deployResults: [],
});
const sessionResult = (handle: string): Json => ({
  handle,
  type: 'xdala_session_start_result',
  status: 'completed',
  completedAt: COMPLETED_AT,
  inputType: 'singleSession',
  originalRequest: { ...(S1 as object), handle },
  results: [{ ok: true, index: 0, status: 'started', sessionId: '7', owner: ADDRESS }],
});

function body(random: Random, at: number): Json {
  if (random.oneIn(12)) return json(random);
  const handle = `‹operation:${at}›`;
  const status = { ...(STATUS as object), status: random.pick(WORDS), stepStatus: random.pick(WORDS), stepId: random.pick(['step_1', 'step-1', '1', text(random, 20)]) };
  const right = random.pick<Json>([status, status, { status: random.pick(WORDS) }, PROGRESS, bundleResult(handle), sessionResult(handle)]);
  return random.oneIn(2) ? right : mutateJson(random, right);
}

export const pages = serverTarget<HttpCase>({
  name: 'pages',
  generate(random) {
    const at = random.int(40);
    const isRight = !random.oneIn(5);
    const secret = isRight ? `‹secret:${at}›` : random.pick(['', 'x'.repeat(43), text(random, 100)]);
    const inQuery = random.oneIn(10);
    const post = random.pick(['/status', '/status', '/result', '/progress', '/x', '']);
    const method = post === '' ? 'GET' : random.oneIn(10) ? random.pick(['GET', 'PUT', 'DELETE', 'HEAD']) : 'POST';
    return {
      as: '',
      method,
      path: `‹page:${at}›${post}${inQuery ? `?k=${secret}` : ''}`,
      headers: [
        ...(inQuery || random.oneIn(20) ? [] : [['Authorization', `Handoff ${secret}`] as [string, string]]),
        ['Content-Type', random.oneIn(15) ? 'text/plain' : 'application/json'],
      ],
      body: method === 'GET' || method === 'HEAD' ? null : jsonText(random, body(random, at)),
      chunked: random.oneIn(6),
      hangUpMs: random.oneIn(30) ? random.int(20) : null,
    };
  },
  // Whoever holds no secret yet finds nothing at such an address.
  send: (one, server) => (one.path.startsWith('/') ? sendHttp({ ...one, path: encodedPath(one.path) }, server) : Promise.resolve(undefined)),
});

/** A mutated secret in the address may hold anything. */
const encodedPath = (path: string): string => path.replace(/[^\x21-\x7e]/g, (sign) => encodeURIComponent(sign.replace(/\p{Cs}/gu, '')));
