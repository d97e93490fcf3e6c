/**
 * The real pages in front of an API from memory, which follows docs/reference/operations-api.md: for pictures of every
 * state, and for behaviour of the page that a real chain would make slow. It believes what it is told.
 */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { OperationStatus } from '@handover/core';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { guard, securityHeaders } from '../../../packages/server/src/doors/http/guards.js';
import type { HttpApp, HttpContext, HttpEnv } from '../../../packages/server/src/doors/http/http-types.js';
import type { PublicChains } from '../../../packages/server/src/doors/pages/chain-info.js';
import { mountPages } from '../../../packages/server/src/doors/pages/door.js';
import type { HandoffRecord, Step } from '../../../packages/web/src/model/record.js';
import { idOf } from '../../../packages/web/src/model/record.js';

export const STUB_SECRET = 'c3R1Yi1zZWNyZXQtb2YtZm9ydHktdGhyZWUtY2hhcnMtMTIz';

export interface StubOptions {
  readonly chains?: Partial<PublicChains>;
}

export interface Post {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly status: number;
}

export type StubServer = Awaited<ReturnType<typeof startStub>>;

export async function startStub({ chains = {} }: StubOptions = {}) {
  const records = new Map<string, HandoffRecord>();
  const gone = new Map<string, 410>();
  const posts: Post[] = [];
  const lines: string[] = [];
  const app: HttpApp = new Hono<HttpEnv>();
  app.use(
    securityHeaders(false),
    guard({
      allow: {
        host: () => true,
        origin: (origin) => origin === undefined || /^http:\/\/(?:127\.0\.0\.1|localhost):\d+$/.test(origin),
      },
      refused: { host() {}, origin() {} },
    }),
  );
  app.use(async (c, next) => {
    lines.push(`${c.req.method} ${c.req.url} ${c.req.header('referer') ?? ''}`);
    await next();
  });
  mountPages(app, { chains: { publicRpcs: new Map(), creationCode: new Map(), ...chains } });
  app.get('/api/:family/:id', (c) => {
    const found = find(c);
    return found instanceof Response ? found : c.json(found as object);
  });
  app.post('/api/:family/:id/:action', async (c) => {
    const found = find(c);
    if (found instanceof Response) return found;
    const body = (await c.req.json()) as Record<string, unknown>;
    const next = moved(found, body, c.req.param('action'));
    posts.push({ path: c.req.path, body, status: next ? 200 : 409 });
    if (!next) return c.json({ error: 'conflict', current: { status: found.status } }, 409);
    records.set(idOf(found), next);
    return c.json({ ok: true });
  });
  const find = (c: HttpContext): HandoffRecord | Response => {
    const id = c.req.param('id') ?? '';
    if (gone.has(id)) return c.json({ error: 'expired' }, 410);
    const record = records.get(id);
    if (!record || c.req.header('authorization') !== `Handoff ${STUB_SECRET}`)
      return c.json({ error: 'not found' }, 404);
    return record;
  };
  const server = createServer(getRequestListener(app.fetch));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    records,
    posts,
    /** What an access log would hold. */
    lines,
    expire: (id: string) => gone.set(id, 410),
    /** Stores a record and gives the link that an agent would show. */
    add(record: HandoffRecord): string {
      records.set(idOf(record), record);
      const path = {
        operation: 'operations',
        bundle_deploy: 'bundle-deploy',
        session_start: 'session-start',
      }[record.family];
      return `${url}/${path}/${idOf(record)}#k=${STUB_SECRET}`;
    },
    change(id: string, change: (record: HandoffRecord) => HandoffRecord): void {
      const record = records.get(id);
      if (record) records.set(id, change(record));
    },
    stop(): Promise<void> {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const MOVES: Readonly<Record<string, readonly [from: readonly string[], to: Step['status']]>> = {
  requested: [['pending', 'failed'], 'requested'],
  submitted: [['requested', 'submitted'], 'submitted'],
  started: [['requested'], 'submitted'],
  failed: [['requested'], 'failed'],
};

/** The record after a post; undefined: not allowed from here. */
function moved(
  record: HandoffRecord,
  body: Record<string, unknown>,
  action: string,
): HandoffRecord | undefined {
  const { stepStatus, account, txHash, sessionId, owner, error } = body as Record<string, string>;
  const status = body.status as OperationStatus | undefined;
  if (action === 'result' && status !== 'cancelled')
    return { ...record, result: body, verification: 'pending' } as HandoffRecord;
  if (status === 'cancelled') return { ...record, status: 'cancelled' };
  if (stepStatus === undefined) {
    const first = record.status.startsWith('pending') || record.status === 'opened';
    return first && status !== undefined ? { ...record, status } : record;
  }
  const step = record.steps.find((one, index) => one.id === body.stepId || index === body.index);
  const [from, to] = MOVES[stepStatus] ?? [[], 'failed'];
  if (!step || !from.includes(step.status)) return undefined;
  const next: Step = {
    ...step,
    status: to,
    ...(txHash !== undefined && { txHash }),
    ...(sessionId !== undefined && { sessionId }),
    ...(owner !== undefined && { owner }),
    ...(error !== undefined && { error }),
  };
  const steps = record.steps.map((one) => (one === step ? next : one));
  return { ...record, status: status ?? record.status, steps, ...(account !== undefined && { account }) };
}
