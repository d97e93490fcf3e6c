/** The API behind the review pages, with the right secret, a wrong one or none, through every state of an operation. */
import { deploymentSteps } from '@handover/evm';
import { B1, S1 } from '../decoders/bundles.js';
import { type Json, json } from '../values/json.js';
import { jsonText, mutateJson } from '../values/mutate-json.js';
import type { Random } from '../values/random.js';
import { text } from '../values/texts.js';
import { type HttpCase, sendHttp } from './send-http.js';
import { serverTarget } from './server-target.js';

const HASH = `0x${'a1'.repeat(32)}`;
const ADDRESS = `0x${'1'.repeat(40)}`;
const COMPLETED_AT = '2026-11-15T12:00:00Z';

type Kind = 'operations' | 'bundle-deploy' | 'session-start';
/** The kind of the page is known only when its address is; there is a body for each. */
type PageCase = HttpCase & { bodies: Record<Kind, string> };

const BUNDLE_STEPS = deploymentSteps(B1 as never).map(({ id }) => id);

function operationPost(random: Random): Json {
  const stepId = random.pick(['s1', 's1', 's2']);
  return random.pick<Json>([
    { status: 'opened' },
    { status: 'wallet_connected' },
    { status: 'tx_requested', stepId, account: ADDRESS },
    {
      status: 'tx_submitted',
      stepId,
      txHash: random.oneIn(2) ? HASH : `0x${random.int(16).toString(16).repeat(64)}`,
    },
    { status: 'failed', stepId, error: text(random, 3_000) },
    ...(random.oneIn(8) ? [{ status: 'cancelled' }] : []),
  ]);
}

function bundlePost(random: Random, handle: string): Json {
  const step = {
    stepId: random.pick(BUNDLE_STEPS),
    stepStatus: random.pick(['requested', 'submitted', 'failed']),
    txHash: HASH,
    contract: ADDRESS,
  };
  return random.pick<Json>([
    { status: 'opened' },
    { status: 'imported' },
    { status: 'imported', ...step },
    { status: 'imported', ...step, account: ADDRESS },
    bundleResult(handle),
  ]);
}

function sessionPost(random: Random, handle: string): Json {
  const stepStatus = random.pick(['requested', 'started', 'failed']);
  return random.oneIn(4)
    ? sessionResult(handle)
    : { index: 0, stepStatus, sessionId: '7', owner: ADDRESS, account: ADDRESS };
}

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

function bodies(random: Random, at: number): Record<Kind, string> {
  const handle = `‹operation:${at}›`;
  const written = (right: Json): string =>
    random.oneIn(2)
      ? JSON.stringify(right)
      : random.oneIn(8)
        ? jsonText(random, json(random))
        : jsonText(random, mutateJson(random, right));
  return {
    operations: written(operationPost(random)),
    'bundle-deploy': written(bundlePost(random, handle)),
    'session-start': written(sessionPost(random, handle)),
  };
}

/** What can be posted to each kind of page; anything else is not found. */
const POSTS: Readonly<Record<Kind, readonly string[]>> = {
  operations: ['/status'],
  'bundle-deploy': ['/status', '/result'],
  'session-start': ['/progress', '/result'],
};
const POST = '‹post›';

export const pages = serverTarget<PageCase>({
  name: 'pages',
  generate(random) {
    const at = random.int(1_000);
    const secret = random.oneIn(8) ? random.pick(['', 'x'.repeat(43), text(random, 100)]) : `‹secret:${at}›`;
    const inQuery = random.oneIn(10);
    const post = random.oneIn(6)
      ? ''
      : random.oneIn(12)
        ? random.pick(['/x', '/status', '/result', '/progress'])
        : `${POST}${random.int(2)}`;
    const method =
      post === '' ? 'GET' : random.oneIn(12) ? random.pick(['GET', 'PUT', 'DELETE', 'HEAD']) : 'POST';
    return {
      as: '',
      method,
      path: `‹page:${at}›${post}${inQuery ? `?k=${secret}` : ''}`,
      headers: [
        ...(inQuery || random.oneIn(20) ? [] : [['Authorization', `Handoff ${secret}`] as [string, string]]),
        ['Content-Type', random.oneIn(30) ? 'text/plain' : 'application/json'],
      ],
      body: null,
      bodies: bodies(random, at),
      chunked: random.oneIn(6),
      hangUpMs: random.oneIn(30) ? random.int(20) : null,
    };
  },
  send({ bodies: given, ...one }, server) {
    const [, found = 'operations'] = /^\/api\/([\w-]+)/.exec(one.path) ?? [];
    const kind = found as Kind;
    const isBare = one.method === 'GET' || one.method === 'HEAD';
    return sendHttp(
      { ...one, path: pathOf(one.path, POSTS[kind]), body: isBare ? null : given[kind] },
      server,
    );
  },
});

/** With the post that fits the page, in signs that an address may hold. */
function pathOf(path: string, posts: readonly string[]): string {
  const chosen = path.replace(/‹post›(\d)/, (_, at: string) => posts[Number(at) % posts.length] ?? '');
  const rooted = chosen.startsWith('/') ? chosen : `/${chosen}`;
  return rooted.replace(/[^\x21-\x7e]/g, (sign) => encodeURIComponent(sign.replace(/\p{Cs}/gu, '')));
}
