/** Two people, two machines, one server: real processes over TLS, one home and one token for each. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../kit/free-port.js';
import { BINARY, cleanEnv, HandoverProcess } from '../kit/handover-process.js';
import { call, ERAS, type Era, newClient, payloadOf } from '../kit/mcp-clients.js';
import { NO_RATE_LIMITS } from '../kit/no-rate-limits.js';
import { selfSigned } from '../kit/self-signed.js';
import { temporaryFolder } from '../kit/temporary-folder.js';
import { tokensEnv } from '../kit/tokens.js';
import { until } from '../kit/until.js';

const TOKENS = { ann: 'token-of-ann-1234567890', bob: 'token-of-bob-1234567890' };
const certificate = selfSigned('localhost', { dns: ['localhost'], ip: [127, 0, 0, 1] });

/** The server of the team: it keeps its folder and its port when it is killed. */
class TeamServer {
  readonly folder = temporaryFolder();
  readonly data = join(this.folder, 'data');
  readonly certificate = this.#file('server.crt', certificate.cert);
  readonly #key = this.#file('server.key', certificate.key);
  readonly #port: number;
  #process: HandoverProcess | undefined;
  /** All that it ever wrote. */
  #output = '';

  constructor(port: number) {
    this.#port = port;
  }

  get url(): string {
    return `https://localhost:${this.#port}`;
  }

  get output(): string {
    return this.#output + (this.#process?.stderr ?? '') + (this.#process?.stdout ?? '');
  }

  async start(): Promise<void> {
    const places = ['--bind', '127.0.0.1:0', '--http-port', String(this.#port), '--data-dir', this.data];
    this.#process = new HandoverProcess(['serve', ...places, '--log-level', 'debug'], {
      env: {
        ...NO_RATE_LIMITS,
        ...tokensEnv({ [TOKENS.ann]: { sender: 'ann' }, [TOKENS.bob]: { sender: 'bob' } }),
        ...{ MACP_TLS_CERT_PATH: this.certificate, MACP_TLS_KEY_PATH: this.#key },
      },
    });
    await this.#process.ready();
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    await this.#process?.stop(signal);
    this.#output = this.output;
    this.#process = undefined;
  }

  #file(name: string, text: string): string {
    writeFileSync(join(this.folder, name), text, { mode: 0o600 });
    return join(this.folder, name);
  }
}

/** A person's machine, as far as the command sees it. */
class Home {
  readonly folder = temporaryFolder();
  readonly stderr: string[] = [];

  constructor(token: string, mode = 0o600) {
    mkdirSync(join(this.folder, '.config'));
    writeFileSync(this.tokenFile, token);
    // Whatever the umask is.
    chmodSync(this.tokenFile, mode);
  }

  get tokenFile(): string {
    return join(this.folder, '.config', 'token');
  }

  args(url: string): readonly string[] {
    return ['mcp', '--server', url, '--token', '@~/.config/token'];
  }

  env(team: TeamServer): Record<string, string> {
    return { HOME: this.folder, NODE_EXTRA_CA_CERTS: team.certificate };
  }

  async connect(team: TeamServer, era: Era, more: readonly string[] = []): Promise<Client> {
    const client = newClient(era);
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [BINARY, ...this.args(team.url), ...more],
      env: cleanEnv(this.env(team)),
      stderr: 'pipe',
    });
    transport.stderr?.on('data', (piece) => this.stderr.push(String(piece)));
    await client.connect(transport);
    return client;
  }

  /** The command to its end. */
  async run(
    team: TeamServer,
    args: readonly string[],
    env = {},
  ): Promise<{ code: number | null; said: string }> {
    const command = new HandoverProcess(args, { env: { ...this.env(team), ...env }, input: '' });
    const code = await command.exited;
    return { code, said: command.stdout + command.stderr };
  }

  /** Nobody's server was started here. */
  get files(): readonly string[] {
    return readdirSync(this.folder, { recursive: true }).map(String).sort();
  }
}

let team: TeamServer;
beforeEach(async () => {
  team = new TeamServer(await freePort());
  await team.start();
});
afterEach(() => team.stop('SIGTERM'));

const entry = (content: string) => ({ sessionKey: 'work', contextType: 'message', content });

describe.each(ERAS)('assistants:J1 two people on two machines (%s)', (era) => {
  it('hand work over, while their server is killed twice; subscriptions go on', async () => {
    const [home, other] = [new Home(TOKENS.ann), new Home(`${TOKENS.bob}\n`)];
    const ann = await home.connect(team, era, ['--agent', 'ann']);
    const bob = await other.connect(team, era);
    const restart = async () => {
      await team.stop('SIGKILL');
      await team.start();
    };
    await call(ann, 'registerSession', { sessionKey: 'work', agentFrom: 'ann' });
    await call(ann, 'updateContext', entry('the first'));

    // N1: it is killed while ann is idle and bob waits; N3: and has subscribed.
    const heard: string[] = [];
    bob.setNotificationHandler(
      'notifications/resources/updated',
      ({ params }) => void heard.push(params.uri),
    );
    const inbox = 'handoff://agents/bob/inbox';
    if (era === 'modern') await bob.listen({ resourceSubscriptions: [inbox] });
    else await bob.subscribeResource({ uri: inbox });
    const waited = bob.callTool({ name: 'waitForHandoff', arguments: { timeoutMs: 50_000 } });
    await restart();
    await call(bob, 'listHandoffs', {});
    const offer = { sessionKey: 'work', targetAgent: 'bob', requestType: 'full_handoff', autoCommit: true };
    const { handoffId } = await call(ann, 'requestHandoff', offer);
    expect(JSON.stringify(payloadOf(await waited))).toContain(handoffId);
    await until(() => heard.includes(inbox));

    // N1: it is killed among fifty writes.
    const writes = Array.from({ length: 50 }, (_, index) => call(ann, 'updateContext', entry(`n${index}`)));
    await writes[9];
    await restart();
    const numbers = (await Promise.all(writes)).map(({ contextEntry }) => contextEntry.sequenceNumber);
    expect([...numbers].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 2));

    const accepted = await call(bob, 'acceptHandoff', { handoffId });
    expect(accepted).toMatchObject({ success: true, status: 'completed' });
    expect(await call(bob, 'updateContext', entry('now mine'))).toMatchObject({ success: true });
    await ann.close();
    await bob.close();
    await team.stop('SIGTERM');

    const receipt = join(team.folder, 'receipt.json');
    const [session = ''] = handoffId.split(':');
    // Ids may begin with a dash.
    const options = ['--data-dir', team.data, '--out', receipt];
    const made = await home.run(team, ['receipt', ...options, '--', session]);
    expect(made).toMatchObject({ code: 0 });
    expect((await home.run(team, ['verify', team.data])).code).toBe(0);
    expect(readFileSync(receipt, 'utf8')).toContain('bob');

    expect([home.files, other.files]).toEqual([
      ['.config', '.config/token'],
      ['.config', '.config/token'],
    ]);
    const said = [...home.stderr, ...other.stderr].join('') + team.output;
    expect(said).toContain(`the connection to ${team.url} is lost; joining again`);
    for (const token of Object.values(TOKENS)) expect(said).not.toContain(token);
  }, 120_000);
});

it.each(ERAS)(
  'assistants:J1 handOff through one pipe, resume through the other: two calls, a good receipt (%s)',
  async (era) => {
    const [home, other] = [new Home(TOKENS.ann), new Home(TOKENS.bob)];
    const ann = await home.connect(team, era);
    const bob = await other.connect(team, era);
    const offered = await call(ann, 'handOff', { to: 'bob', goal: 'Done by six.', next: ['The index'] });
    expect(offered).toMatchObject({ success: true, phase: 'offered', to: 'bob' });
    const got = await call(bob, 'resume', { accept: true });
    const { sessionKey, handoffId } = offered;
    expect(got).toMatchObject({ ...{ kind: 'offer', yours: true, sessionKey, handoffId, owner: 'bob' } });
    expect(got.brief.text).toContain('Done by six.');
    await ann.close();
    await bob.close();
    await team.stop('SIGTERM');

    const { code, said } = await home.run(team, ['keys', '--data-dir', team.data]);
    const key = said.trim().split('\n').at(-1) ?? '';
    expect([code, key]).toEqual([0, expect.stringMatching(/^\S{40,}$/)]);
    const receipt = join(other.folder, 'receipt.json');
    const [session = ''] = handoffId.split(':');
    const made = ['receipt', '--data-dir', team.data, '--out', receipt, '--', session];
    expect(await home.run(team, made)).toMatchObject({ code: 0 });
    // Bob has no more than the key and the receipt.
    const checked = await other.run(team, ['verify', receipt, '--key', key]);
    expect(checked).toMatchObject({ code: 0, said: expect.stringContaining('signer known') });
    const changed = readFileSync(receipt, 'utf8').replaceAll('"bob"', '"eve"');
    writeFileSync(receipt, changed);
    expect(await other.run(team, ['verify', receipt, '--key', key])).toMatchObject({ code: 1 });
  },
  60_000,
);

describe('assistants:J4 assistants:J6 what ends the command before it serves', () => {
  it('says what is wrong, with exit code 1 and without the token', async () => {
    const ann = new Home(TOKENS.ann);
    const refusals: readonly (readonly [string, string, readonly string[], Record<string, string>?])[] = [
      ['a wrong token', `refuses the token in`, new Home('token-of-nobody-123').args(team.url)],
      ['the name of another', 'the token is that of ann', [...ann.args(team.url), '--agent', 'bob']],
      ['a bare token', '--token @FILE', ['mcp', '--server', team.url, '--token', TOKENS.ann]],
      [
        'a bare token in the environment',
        '--token @FILE',
        ['mcp', '--server', team.url],
        { HANDOVER_TOKEN: TOKENS.ann },
      ],
      ['no token', 'needs a token', ['mcp', '--server', 'https://handover.example.org', '--agent', 'ann']],
      ['plain http', 'in the clear', ann.args('http://handover.example.org')],
      ['two servers', 'Give one of them', [...ann.args(team.url), '--data-dir', ann.folder]],
      ['a token without a server', 'Give --server', ['mcp', '--token', '@x']],
    ];
    const ran = await Promise.all(
      refusals.map(async ([what, sentence, args, env = {}]) => {
        const home =
          args.includes('@~/.config/token') && what === 'a wrong token'
            ? new Home('token-of-nobody-123')
            : ann;
        return { what, sentence, ...(await home.run(team, args, env)) };
      }),
    );
    for (const { what, sentence, code, said } of ran) {
      expect([what, code, said]).toEqual([what, 1, expect.stringContaining(sentence)]);
      expect(said).not.toMatch(/token-of-/);
    }
    const open = new Home(TOKENS.ann, 0o644);
    expect(await open.run(team, open.args(team.url))).toMatchObject({
      ...{ code: 1, said: expect.stringContaining('can be read by other users') },
    });
    // HANDOVER_TOKEN names the file as well as the flag does.
    const named = await ann.run(team, ['mcp', '--server', team.url], { HANDOVER_TOKEN: '@~/.config/token' });
    expect(named).toEqual({ code: 0, said: '' });
    const unknown = await ann.run(team, ann.args(team.url), { NODE_EXTRA_CA_CERTS: '' });
    expect(unknown).toMatchObject({ code: 1, said: expect.stringContaining('is not trusted') });
    expect(team.output).not.toMatch(/token-of-/);
  }, 120_000);
});
