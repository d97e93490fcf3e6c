/**
 * Every example of the seed page, word for word: the code blocks are taken from a copy of its text, run with the official
 * client in both eras, over HTTP and over the real `handover mcp`, and with the independent older client.
 */
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  connectHttp,
  connectOlder,
  connectStdioAs,
  ERAS,
  newDataFolder,
  payloadOf,
} from '../kit/mcp-clients.js';
import { SEED_EXAMPLES, SEED_TOOLS } from './seeds/003-examples.js';
import { type McpTestServer, openMcpServer } from './support/mcp-server.js';

interface SeedClient {
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  readResource(params: { uri: string }): Promise<{ contents: { text?: string }[] }>;
  close(): Promise<void>;
}

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor as new (
  ...parameters: string[]
) => (...values: unknown[]) => Promise<{ res: unknown; payload: Record<string, unknown> }>;

/** Runs a block as it stands; only what it leaves open (`client`, `sessionKey`) is given. */
function runExample(text: string, client: SeedClient, sessionKey?: string) {
  return new AsyncFunction('client', 'sessionKey', `${text}\nreturn { res, payload };`)(client, sessionKey);
}

const folder = newDataFolder();
let server: McpTestServer;
beforeAll(async () => {
  server = await openMcpServer();
});
afterAll(async () => {
  await server.close(AbortSignal.timeout(1_000));
  rmSync(folder, { recursive: true, force: true });
});

const clients: [string, () => Promise<SeedClient>][] = [
  ...ERAS.map((era): [string, () => Promise<SeedClient>] => [
    `${era} over HTTP`,
    async () => (await connectHttp(server.url, 'docs', era)) as unknown as SeedClient,
  ]),
  ...ERAS.map((era): [string, () => Promise<SeedClient>] => [
    `${era} over stdio`,
    async () => (await connectStdioAs(`docs`, folder, era)) as unknown as SeedClient,
  ]),
  ['the older SDK over HTTP', async () => (await connectOlder(server.url, 'docs')) as unknown as SeedClient],
];

describe.each(clients)('assistants:T3 seed 003, %s', (_, connect) => {
  let client: SeedClient;
  beforeAll(async () => {
    client = await connect();
  });
  afterAll(() => client.close());

  const read = async (uri: string) =>
    JSON.parse((await client.readResource({ uri })).contents[0]?.text ?? '') as Record<string, unknown>;
  const register = async () => {
    const { payload } = await runExample(SEED_EXAMPLES.registerSession, client);
    return (payload.session as { sessionKey: string }).sessionKey;
  };
  const answer = async (name: string, args: Record<string, unknown>) =>
    payloadOf(await client.callTool({ name, arguments: args }));

  it('registerSession', async () => {
    const { res, payload } = await runExample(SEED_EXAMPLES.registerSession, client);
    expect(payloadOf(res)).toEqual(payload);
    expect(payload).toMatchObject({
      success: true,
      message: expect.any(String),
      session: {
        id: expect.any(String),
        sessionKey: expect.stringMatching(/^session-\d+$/),
        agentFrom: 'docs',
        status: 'active',
        createdAt: expect.stringMatching(ISO),
        metadata: { purpose: 'api-ref' },
      },
    });
  });

  it('registerSession twice', async () => {
    const sessionKey = await register();
    const again = await answer('registerSession', { sessionKey, agentFrom: 'docs' });
    expect(again).toMatchObject({
      success: false,
      error: 'Session already exists',
      details: {
        sessionKey,
        existingSession: {
          id: expect.any(String),
          status: 'active',
          agentFrom: 'docs',
          createdAt: expect.stringMatching(ISO),
        },
      },
    });
  });

  it('updateContext', async () => {
    const sessionKey = await register();
    const { payload } = await runExample(SEED_EXAMPLES.updateContext, client, sessionKey);
    expect(payload).toMatchObject({
      success: true,
      message: expect.any(String),
      contextEntry: {
        id: expect.any(String),
        sequenceNumber: 1,
        contextType: 'message',
        contentLength: 5,
        createdAt: expect.stringMatching(ISO),
      },
      session: { id: expect.any(String), sessionKey, status: 'active' },
    });
  });

  it('updateContext of a session that is not there', async () => {
    const { payload } = await runExample(SEED_EXAMPLES.updateContext, client, 'nobody-has-this');
    expect(payload).toMatchObject({
      success: false,
      error: 'Session not found',
      sessionKey: 'nobody-has-this',
    });
    expect(payload).toMatchObject(ERROR_SHAPE);
  });

  it('requestHandoff', async () => {
    const sessionKey = await register();
    await runExample(SEED_EXAMPLES.updateContext, client, sessionKey);
    const { payload } = await runExample(SEED_EXAMPLES.requestHandoff, client, sessionKey);
    expect(payload).toMatchObject({
      success: true,
      handoffId: expect.any(String),
      status: 'pending',
      timestamp: expect.stringMatching(ISO),
    });
  });

  it('the configuration tools', async () => {
    const all = await answer('getConfiguration', {});
    expect(all).toMatchObject({ configuration: expect.any(Object), timestamp: expect.stringMatching(ISO) });
    const [key = ''] = Object.keys(all.configuration);
    const one = await answer('getConfiguration', { keys: [key] });
    expect(Object.keys(one.configuration)).toEqual([key]);
    const updated = await answer('updateConfiguration', {
      updates: { HANDOVER_PACKAGE_TOKEN_BUDGET: 1_000 },
      options: { validateOnly: true },
    });
    expect(updated).toMatchObject({ success: true, restartRequired: false });
    const created = await answer('manageConfigurationBackup', { action: 'create' });
    expect(created).toMatchObject({ success: true, backupId: expect.any(String) });
    const listed = await answer('manageConfigurationBackup', { action: 'list' });
    expect(listed.backups).toContainEqual(expect.objectContaining({ backupId: created.backupId }));
    const { backupId } = created;
    expect(await answer('manageConfigurationBackup', { action: 'restore', backupId })).toMatchObject({
      success: true,
    });
    expect(await answer('manageConfigurationBackup', { action: 'delete', backupId })).toMatchObject({
      success: true,
    });
  });

  it('updateConfiguration with a wrong value says so', async () => {
    const refused = await answer('updateConfiguration', { updates: { HANDOVER_PACKAGE_TOKEN_BUDGET: -1 } });
    expect(refused).toMatchObject({
      success: false,
      errorCode: 'VALIDATION_ERROR',
      restartRequired: false,
      validationErrors: [expect.any(String)],
    });
  });

  it('the four resources', async () => {
    const sessionKey = await register();
    await runExample(SEED_EXAMPLES.updateContext, client, sessionKey);
    const sessions = await read('handoff://sessions');
    expect(sessions.total).toBe((sessions.sessions as unknown[]).length);
    expect(sessions.sessions).toContainEqual(
      expect.objectContaining({
        sessionKey,
        status: 'active',
        agentFrom: 'docs',
        createdAt: expect.stringMatching(ISO),
      }),
    );
    expect(await read(`handoff://context/${sessionKey}`)).toMatchObject({
      sessionKey,
      entries: [
        {
          sequenceNumber: 1,
          contextType: 'message',
          content: 'Hello',
          createdAt: expect.stringMatching(ISO),
          metadata: { source: 'user' },
        },
      ],
      hasMore: false,
    });
    expect(await read(`handoff://summary/${sessionKey}`)).toMatchObject({
      sessionKey,
      summary: expect.any(String),
      generatedAt: expect.stringMatching(ISO),
    });
    const own = await read('handoff://agents/docs/sessions');
    expect(own.agentId).toBe('docs');
    expect(own.sessions).toContainEqual(
      expect.objectContaining({ sessionKey, status: 'active', createdAt: expect.stringMatching(ISO) }),
    );
  });

  it('every argument that the seed names is taken, and those it requires are required', async () => {
    for (const [name, { required }] of Object.entries(SEED_TOOLS))
      for (const missing of required) {
        const payload = await answer(name, {});
        expect(payload).toMatchObject({ success: false, errorCode: 'VALIDATION_ERROR' });
        expect(payload.details.issues.map(({ field }: { field: string }) => field)).toContain(missing);
      }
  });
});

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ERROR_SHAPE = {
  success: false,
  error: expect.any(String),
  errorCode: 'SESSION_NOT_FOUND',
  details: expect.any(Object),
  timestamp: expect.stringMatching(ISO),
  requestId: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
};
