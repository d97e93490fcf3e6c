/**
 * One connection that speaks MCP line by line: a pair of streams, both eras, one caller for its whole life.
 *
 * The socket door uses it. That door decides who the caller is, before the first message; one that was started without a
 * name may still name itself (connection-name.ts).
 */
import type { Readable, Writable } from 'node:stream';
import type { Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { callerKey } from '../../auth/caller-key.js';
import type { Principal } from '../../auth/principal.js';
import type { JsonScan } from '../../platform/json/json-scan.js';
import type { Connection } from '../../services/connection.js';
import { answerBytes } from './answer-bytes.js';
import { ConnectionName } from './connection-name.js';
import type { McpDependencies } from './dependencies.js';
import { LineTransport } from './lines/line-transport.js';
import { ListenGate } from './listen-gate.js';
import { createMcpServer } from './mcp-server.js';
import { StdioSubscription } from './stdio-subscription.js';

export interface ConnectionStreams {
  readonly input: Readable;
  readonly output: Writable;
}

export interface McpConnection {
  /** Resolves when either side has ended it. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

export function serveMcpConnection(
  deps: McpDependencies,
  { input, output }: ConnectionStreams,
  principal: Principal,
  connection: Connection,
): McpConnection {
  let server: Server | undefined;
  const name = new ConnectionName(principal, connection.instance, deps.names, () => subscription.renamed());
  const subscription = new StdioSubscription(
    deps,
    () => name.principal,
    output,
    () => server,
  );
  deps.names.add(name);
  let ended = () => {};
  const closed = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const open = (bytes: Uint8Array, scan: JsonScan) => deps.opener.open(name.principal, bytes, scan);
  const share = deps.unfinished.open({ caller: callerKey(principal) });
  const wire = new LineTransport(input, output, open, {
    share,
    lines: deps.lines,
    caller: () => callerKey(name.principal),
    answerBytes: (request) => answerBytes(deps.tools, request),
  });
  const transport = new ListenGate(wire, subscription.open, () => {
    subscription.close();
    deps.names.delete(name);
    ended();
  });
  const factory = ({ era }: { readonly era: 'legacy' | 'modern' }): Server => {
    const legacy = era === 'legacy';
    server = createMcpServer(deps, {
      era,
      caller: () => name.principal,
      agent: name.principal.agent,
      connection: () => connection,
      opener: { principal: name.principal, connection },
      ...(legacy && { subscriptionOf: subscription.open }),
    });
    if (legacy) server.oninitialized = () => void subscription.open();
    return server;
  };
  const onerror = (error: Error) => deps.log.debug('mcp.connection_error', { message: error.message });
  const handle = serveStdio(factory, { transport, onerror });
  // The socket door paused the stream after the first line, and a new listener alone does not resume it.
  input.resume();
  return { closed, close: () => handle.close() };
}
