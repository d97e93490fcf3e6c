/**
 * A stand-in for an XGR node: answers the `xgr_*` methods from memory and passes everything else on to anvil. It keeps
 * all requests, so that a test can check what was never asked. `setFault` makes it misbehave.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RpcRequest {
  readonly id: number;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** Returns true if it takes over the answer to a request. */
export type RpcFault = (request: RpcRequest, response: ServerResponse) => boolean;

export interface StartedXgrSession {
  readonly owner: string;
  readonly sessionId: string;
  readonly stepId: string;
  readonly payload: unknown;
  readonly orchestration: string;
  readonly permit: unknown;
}

export type XgrRpc = Awaited<ReturnType<typeof startXgrRpc>>;

export async function startXgrRpc(anvilUrl: string, chainId = 31_337) {
  const asked: RpcRequest[] = [];
  const started: StartedXgrSession[] = [];
  /** By `owner/sessionId`; absent: an unknown session. */
  const alive = new Map<string, boolean>();
  const executed = new Map<string, boolean>();
  /** Owners of whose sessions the node says nothing yet. */
  const hidden = new Set<string>();
  let fault: RpcFault | undefined;

  const isHidden = ([owner]: readonly unknown[]) => hidden.has(String(owner).toLowerCase());
  const key = ([owner, sessionId]: readonly unknown[]) =>
    `${String(owner).toLowerCase()}/${String(sessionId)}`;

  const startedBy = (asks: unknown): number => {
    const { from } = asks as { from: string };
    return started.filter(({ owner }) => owner.toLowerCase() === from.toLowerCase()).length;
  };

  const own: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    xgr_getCoreAddrs: () => ({
      grants: `0x${'11'.repeat(20)}`,
      publicSale: `0x${'22'.repeat(20)}`,
      precompile: `0x${'33'.repeat(20)}`,
      chainId: `0x${chainId.toString(16)}`,
    }),
    /** Every owner counts for itself. */
    xgr_getNextProcessId: ([asks]) => ({ nextProcessId: String(startedBy(asks) + 1) }),
    xgr_validateDataTransfer: ([request]) => {
      const session = readStart(request);
      started.push(session);
      alive.set(key([session.owner, session.sessionId]), true);
      return {
        processId: `${session.sessionId}:1`,
        finalResult: true,
        executedSteps: [],
        ruleAction: '',
        payload: session.payload,
        outputPayload: {},
      };
    },
    xgr_sessionAlive: (params) => !isHidden(params) && (alive.get(key(params)) ?? false),
    xgr_stepExecuted: (params) => (isHidden(params) ? null : (executed.get(key(params)) ?? null)),
  };

  const answer = async (request: RpcRequest, text: string, response: ServerResponse) => {
    if (fault?.(request, response)) return;
    const method = own[request.method];
    if (method) {
      reply(response, JSON.stringify({ jsonrpc: '2.0', id: request.id, result: method(request.params) }));
      return;
    }
    const passed = await fetch(anvilUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
    });
    reply(response, await passed.text());
  };

  const server = createServer((incoming, response) => {
    void readBody(incoming)
      .then(async (text) => {
        if (incoming.method === 'OPTIONS') return reply(response, '');
        const request = JSON.parse(text) as RpcRequest;
        asked.push(request);
        await answer(request, text, response);
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    started,
    /** Makes a session known: running, or ended with its first step decided. */
    setSession(owner: string, sessionId: string, state: 'alive' | 'valid' | 'invalid' | 'unknown') {
      alive.set(key([owner, sessionId]), state === 'alive');
      if (state === 'valid' || state === 'invalid') executed.set(key([owner, sessionId]), state === 'valid');
      else executed.delete(key([owner, sessionId]));
    },
    /** Sessions of this owner start, and the node does not show them until it is told to. */
    hide(owner: string) {
      hidden.add(owner.toLowerCase());
    },
    show(owner: string) {
      hidden.delete(owner.toLowerCase());
    },
    setFault(next: RpcFault | undefined) {
      fault = next;
    },
    stop(): Promise<void> {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function readStart(request: unknown): StartedXgrSession {
  const { stepId, payload, orchestration, permit } = request as Record<string, unknown>;
  // Both forms of the permit that clients send: plain names, and the capitalised ones.
  const { message, Message, owner, Owner } = permit as Record<
    string,
    Record<string, unknown> | string | undefined
  >;
  const signed = (message ?? Message ?? {}) as Record<string, unknown>;
  return {
    owner: String(signed.from ?? owner ?? Owner).toLowerCase(),
    sessionId: String(signed.sessionId),
    stepId: String(stepId),
    orchestration: String(orchestration),
    payload,
    permit,
  };
}

/** Open to every origin: the session-start page calls it from a browser. */
function reply(response: ServerResponse, text: string): void {
  response.writeHead(200, {
    'content-type': 'application/json',
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'content-type',
    'access-control-allow-methods': 'POST, OPTIONS',
  });
  response.end(text);
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
