/** What a model is told before it does anything: instructions, prompts, the icon. */
import { rmSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, describe, expect, it } from 'vitest';
import { instructionsFor } from '../../packages/server/src/doors/mcp/instructions.js';
import { SKILLS } from '../../packages/server/src/texts/skills.js';
import { connectHttp, ERAS, newDataFolder } from '../kit/mcp-clients.js';
import { assistant, cleanUp } from '../stdio/support.js';
import { openMcpServer, useMcpServer } from './support/mcp-server.js';

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
        for (const reachesOthers of [true, false])
          expect(tokens(instructionsFor([{ name }], { agent, reachesOthers }))).toBeLessThanOrEqual(250);
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

  it.each(ERAS)('assistants:7.6 whoever is known is told its own name (%s)', async (era) => {
    for (const agent of ['codex', 'claude'])
      for (const open of [
        () => assistant(folder, { era, args: ['--agent', agent] }),
        () => connectHttp(server.url, agent, era),
      ]) {
        const client = await open();
        expect(client.getInstructions()).toContain(`You are \`${agent}\` here.`);
        await client.close();
      }
  });

  it('assistants:7.4 assistants:7.6 whose name nobody chose is told none', async () => {
    const initialize = {
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    };
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const answer = await fetch(server.url, { method: 'POST', headers, body: JSON.stringify(initialize) });
    const said = await answer.text();
    expect(said).toContain('Handover moves work between assistants');
    expect(said).not.toContain('You are');
  });

  it.each(ERAS)(
    'assistants:2.2 say what becomes of work that is handed to nobody by name (%s)',
    async (era) => {
      const told = async (client: Client) => {
        const said = client.getInstructions() ?? '';
        await client.close();
        return said;
      };
      const forAnyone = 'name the receiver in to, or leave it out.';
      expect(await told(await assistant(folder, { era, args: ['--agent', 'codex'] }))).toContain(forAnyone);
      const alone = 'give to: without it only you can resume it.';
      expect(await told(await connectHttp(server.url, 'codex', era))).toContain(alone);
      const opened = await openMcpServer({ env: { HANDOVER_OPEN_PARKING: '1' } });
      expect(await told(await connectHttp(opened.url, 'codex', era))).toContain(forAnyone);
      await opened.close();
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
