/**
 * assistants:7.9. The door takes tools, resources and prompts as values: here those of the public conformance suite, which
 * itself runs apart (`npm run mcp:conformance -- --fixtures`).
 */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bearer, ERAS, type Era } from '../kit/mcp-clients.js';
import { openFixtureDoor } from './fixtures/door.js';
import { PNG } from './fixtures/samples.js';

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is compared by the tests, not by the compiler
type Loose = any;
let door: Awaited<ReturnType<typeof openFixtureDoor>>;

beforeAll(async () => {
  door = await openFixtureDoor();
});
afterAll(() => door.close());

async function connect(era: Era): Promise<Client> {
  const negotiation = era === 'modern' ? { versionNegotiation: { mode: 'auto' as const } } : {};
  const capabilities = { elicitation: { form: {} }, sampling: {} };
  const client = new Client({ name: 'suite', version: '1.0.0' }, { capabilities, ...negotiation });
  client.setRequestHandler('elicitation/create', ({ params }: Loose) => ({
    action: 'accept',
    content: Object.fromEntries(Object.keys(params.requestedSchema.properties).map((name) => [name, 'Ann'])),
  }));
  client.setRequestHandler('sampling/createMessage', () => ({
    role: 'assistant' as const,
    model: 'none',
    content: { type: 'text' as const, text: 'Paris' },
  }));
  await client.connect(new StreamableHTTPClientTransport(door.mcpUrl, { requestInit: bearer('suite') }));
  return client;
}

describe.each(ERAS)('the door with other contents, %s', (era) => {
  it('assistants:7.9 shows pictures, resources of another scheme, and the words of a schema', async () => {
    const client = await connect(era);
    const { content } = (await client.callTool({ name: 'test_image_content' })) as Loose;
    expect(content).toEqual([{ type: 'image', data: PNG, mimeType: 'image/png' }]);
    const { contents } = await client.readResource({ uri: 'test://template/7/data' });
    expect(contents[0]).toMatchObject({ uri: 'test://template/7/data', mimeType: 'application/json' });
    await expect(client.readResource({ uri: 'handoff://sessions' })).rejects.toMatchObject({ code: -32_602 });
    const { tools } = await client.listTools();
    const schema = tools.find(({ name }) => name === 'json_schema_2020_12_tool')?.inputSchema as Loose;
    expect(Object.keys(schema)).toEqual(
      expect.arrayContaining(['$schema', '$defs', 'allOf', 'if', 'then', 'else']),
    );
    expect(tools.find(({ name }) => name === 'test_simple_text')?.inputSchema).not.toHaveProperty('$schema');
    await client.close();
  });

  it('assistants:7.9 asks in rounds: a form, a model, and one question after the other', async () => {
    const client = await connect(era);
    const said = async (name: string) =>
      ((await client.callTool({ name })) as Loose).content[0].text as string;
    expect(await said('test_input_required_result_elicitation')).toContain('"name":"Ann"');
    expect(await said('test_input_required_result_sampling')).toContain('Paris');
    expect(await said('test_input_required_result_request_state')).toMatch(/^state-ok/);
    expect(await said('test_input_required_result_multi_round')).toContain('"color":"Ann"');
    const prompt = (await client.getPrompt({ name: 'test_input_required_result_prompt' })) as Loose;
    expect(prompt.messages[0].content.text).toContain('Ann');
    await client.close();
  });
});

describe('the fixtures', () => {
  const TOKENS = '{"tokens":[{"token":"0123456789abcdef0123456789abcdef0123","sender":"ann"}]}';

  it.each([
    ['with credentials', { MACP_AUTH_TOKENS_JSON: TOKENS }, /without credentials/],
    ['beyond this machine', { MCP_HTTP_HOST: '0.0.0.0' }, /2 settings are wrong/],
    ['behind a proxy', { HANDOVER_TRUSTED_PROXY: '127.0.0.1/32' }, /no proxy/],
  ])('assistants:7.9 are not served %s', async (_, env, why) => {
    await expect(openFixtureDoor(env)).rejects.toThrow(why);
  });
});
