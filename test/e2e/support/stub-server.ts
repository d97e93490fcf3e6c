/**
 * The real pages in front of an API from memory, which follows docs/reference/operations-api.md: for pictures of every
 * state, and for behaviour of the page that a real chain would make slow. It believes what it is told.
 */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { guard, securityHeaders } from '../../../packages/server/src/doors/http/guards.js';
import type { HttpApp, HttpContext, HttpEnv } from '../../../packages/server/src/doors/http/http-types.js';
import type { PublicChains } from '../../../packages/server/src/doors/pages/chain-info.js';
import { mountPages } from '../../../packages/server/src/doors/pages/door.js';
import { type HandoffRecord, idOf } from '../../../packages/web/src/model/record.js';
import { moved } from './stub-moves.js';

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
      workbench: {},
    }),
  );
  app.use(async (c, next) => {
    lines.push(`${c.req.method} ${c.req.url} ${c.req.header('referer') ?? ''}`);
    await next();
  });
  // A node that cannot show what happens inside a transaction.
  const traces = () => Promise.resolve(false);
  mountPages(app, { traces, chains: { publicRpcs: new Map(), creationCode: new Map(), ...chains } });
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
    const ask = body.stepStatus === 'requested' ? next.asks?.at(-1) : undefined;
    return c.json({ ok: true, ...(ask && { ask: { ...ask, token: STUB_SECRET } }) });
  });
  const find = (c: HttpContext): HandoffRecord | Response => {
    const id = c.req.param('id') ?? '';
    if (gone.has(id)) return c.json({ error: 'expired' }, 410);
    const record = records.get(id);
    const schemes = c.req.method === 'POST' ? ['Handoff', 'Ask'] : ['Handoff'];
    if (!record || !schemes.some((word) => c.req.header('authorization') === `${word} ${STUB_SECRET}`))
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
