import { describe, expect, it } from 'vitest';
import { headersOf, messageHead } from './message-head.js';

const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
const headers = (message: unknown) => headersOf(messageHead(JSON.stringify(message)));

describe('assistants:6.7 what a line says in headers', () => {
  it('of the newer era: revision, method and what is meant', () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'resume', _meta } };
    expect(headers(call)).toEqual({
      ...{ 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'resume' },
    });
    const read = { id: 'a', method: 'resources/read', params: { uri: 'handoff://x/ü', _meta } };
    expect(headers(read)['mcp-name']).toBe(`=?base64?${Buffer.from('handoff://x/ü').toString('base64')}?=`);
    for (const name of ['', ' a', 'a\n', '=?base64?YQ==?='])
      expect(headers({ ...call, params: { name, _meta } })['mcp-name']).toMatch(/^=\?base64\?/);
  });

  it('of the older era, of notifications and of what is no message: nothing', () => {
    expect(headers({ id: 1, method: 'tools/call', params: { name: 'resume' } })).toEqual({});
    expect(headers({ method: 'notifications/x', params: { _meta } })).toEqual({});
    for (const odd of [1, [], 'x', { id: 1, result: {} }, { id: 1, method: 2, params: { _meta } }])
      expect(headers(odd)).toEqual({});
    expect(messageHead('{')).toEqual({});
    expect(messageHead('{"method":"__proto__","id":1,"params":{"__proto__":{"_meta":{}}}}')).toEqual({
      ...{ method: '__proto__', id: '1' },
    });
  });

  it('names what is cancelled, with the number and the text apart', () => {
    const cancels = (requestId: unknown) =>
      messageHead(JSON.stringify({ method: 'notifications/cancelled', params: { requestId } })).cancels;
    expect([cancels(1), cancels('1'), cancels({})]).toEqual(['1', '"1"', undefined]);
  });
});
