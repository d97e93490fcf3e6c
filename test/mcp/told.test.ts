/** What a model is told before it does anything: instructions, prompts, the icon. */
import { rmSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, describe, expect, it } from 'vitest';
import { instructionsFor } from '../../packages/server/src/doors/mcp/instructions.js';
import { SKILLS } from '../../packages/server/src/texts/skills.js';
import { connectHttp, ERAS, newDataFolder } from '../kit/mcp-clients.js';
import { assistant, cleanUp } from '../stdio/support.js';
import { useMcpServer } from './support/mcp-server.js';

const server = await useMcpServer();
const folder = newDataFolder();
afterAll(async () => {
  await cleanUp(folder);
  rmSync(folder, { recursive: true, force: true });
});

const tokens = (text: string) => Math.ceil(Buffer.byteLength(text) / 4);

describe('instructions', () => {
  it('assistants:7.6 at most 250 tokens, also with a long name', () => {
    for (const agent of ['x'.repeat(100), '漢'.repeat(85)])
      for (const name of ['resume', 'create_operation_handoff'])
        expect(tokens(instructionsFor([{ name }], agent))).toBeLessThanOrEqual(250);
  });

  it.each(ERAS)('assistants:7.6 names only tools that the connection lists (%s)', async (era) => {
    const named = async (client: Client) => {
      const told = client.getInstructions() ?? '';
      const { tools } = await client.listTools();
      await client.close();
      const isListed = tools.some(({ name }) => name === 'create_operation_handoff');
      expect(told.includes('create_operation_handoff')).toBe(isListed);
      return isListed;
    };
    const narrowed = new URL('?toolsets=handoff', server.url);
    expect(await named(await connectHttp(server.url, 'docs', era))).toBe(true);
    expect(await named(await connectHttp(narrowed, 'docs', era))).toBe(false);
    expect(await named(await assistant(folder, { era, args: ['--agent', 'codex'] }))).toBe(false);
  });

  it.each(ERAS)(
    'assistants:7.6 a connection is told its own name, a caller over HTTP is not (%s)',
    async (era) => {
      for (const agent of ['codex', 'claude']) {
        const client = await assistant(folder, { era, args: ['--agent', agent] });
        expect(client.getInstructions()).toContain(`You are \`${agent}\` here.`);
        await client.close();
      }
      const client = await connectHttp(server.url, 'codex', era);
      expect(client.getInstructions()).not.toContain('You are');
      await client.close();
    },
  );

  it('assistants:7.6 what names the caller is not kept for others', async () => {
    const client = await connectHttp(server.url, 'docs');
    const hints = await client.discover();
    expect(hints).toMatchObject({ cacheScope: 'private' });
    await client.close();
  });
});

describe('prompts', async () => {
  const client = await connectHttp(server.url, 'docs');
  afterAll(() => client.close());
  const textOf = async (name: string, args: Record<string, string> = {}) => {
    const [message] = (await client.getPrompt({ name, arguments: args })).messages;
    return message?.content.type === 'text' ? message.content.text : '';
  };

  it.each(SKILLS)(
    'assistants:7.7 the words of the skill, without any argument: $name',
    async ({ name, body }) => {
      expect(await textOf(name)).toBe(body);
    },
  );

  it('assistants:7.7 what the user adds stands below', async () => {
    expect(await textOf('handoff', { to: 'codex', note: 'hurry' })).toMatch(
      /\nThe user adds:\nto: "codex"\nnote: "hurry"\n$/,
    );
  });

  it('assistants:7.7 resume is another name of pickup', async () => {
    expect(await textOf('resume', { what: 'w' })).toBe(await textOf('pickup', { what: 'w' }));
    expect((await client.listPrompts()).prompts.map(({ name }) => name)).toEqual(['handoff', 'pickup']);
  });
});

it.each(ERAS)(
  'assistants:7.7 one picture of at most 2 KiB, of the server and of no tool (%s)',
  async (era) => {
    const client = await connectHttp(server.url, 'docs', era);
    const [icon, ...more] = client.getServerVersion()?.icons ?? [];
    expect(more).toEqual([]);
    expect(icon?.src).toMatch(/^data:image\/svg\+xml;base64,/);
    expect(icon?.src.length).toBeLessThanOrEqual(2_048);
    const listed = await client.listTools();
    expect(JSON.stringify(listed)).not.toContain('data:image');
    await client.close();
  },
);
