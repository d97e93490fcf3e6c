// The yardstick of the MCP door: one tool that answers what it was given, on the same SDK and the same HTTP server, with
// nothing behind it. `http` or `stdio`.
import { serve } from '@hono/node-server';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { Hono } from 'hono';
import { z } from 'zod';

const inputSchema = z.object({ text: z.string() });
const outputSchema = z.looseObject({ text: z.string() });

function factory() {
  const server = new McpServer({ name: 'echo', version: '1.0.0' });
  server.registerTool('echo', { description: 'Echo', inputSchema, outputSchema }, ({ text }) => ({
    content: [{ type: 'text', text: JSON.stringify({ text }) }],
    structuredContent: { text },
  }));
  return server;
}

if (process.argv[2] === 'stdio') serveStdio(factory);
else {
  const handler = createMcpHandler(factory);
  const app = new Hono();
  app.post('/mcp', (c) => handler.fetch(c.req.raw));
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
    console.log(`ready ${port}`),
  );
  process.on('SIGTERM', () => server.close());
}
