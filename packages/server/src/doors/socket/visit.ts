/** One connection of the socket door, from its first line to its end (O1, O2). */
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Principal } from '../../auth/principal.js';
import { STDIO_TOOL_SETS } from '../../auth/tool-sets.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { differingSettings, type SettingDigests } from '../../config/setting-digests.js';
import type { Log } from '../../observe/log.js';
import type { Audit } from '../../observe/security-log.js';
import type { BodyShare } from '../../services/body-budget.js';
import type { Connection } from '../../services/connection.js';
import { NAMELESS, nameFlaw, readOpening, refusalLine } from './client-name.js';
import { endSocket } from './end-socket.js';
import {
  type Hello,
  hasBody,
  ofAgent,
  type Question,
  readHello,
  type Welcome,
  welcomeLine,
} from './hello.js';
import { sameToken } from './local-token.js';
import { readLine } from './read-line.js';
import { stdioPrincipal } from './stdio-principal.js';

export interface SocketDoorOptions {
  readonly folder: string;
  readonly version: string;
  readonly log: Log;
  readonly audit: Audit;
  /** Serves MCP until either side ends. */
  readonly mcp: (
    input: Readable,
    output: Writable,
    principal: Principal,
    connection: Connection,
  ) => Promise<void>;
  /** Digests of what the server was started with, by the key that both sides hold. */
  readonly settings: (key: string) => SettingDigests;
  readonly now: () => number;
  /** Answers the other requests, as JSON. */
  readonly answer: (wanted: Question, principal: Principal, body: string) => Promise<unknown>;
}

const OPERATOR = 'operator';
const MAX_OPENING_LINES = fixedLimits.localOpeningLines.value;

export class Visit {
  readonly #options: SocketDoorOptions;
  readonly #token: string;
  readonly #socket: Socket;
  /** Where its first lines count. */
  readonly #share: BodyShare;

  constructor(options: SocketDoorOptions, token: string, socket: Socket, share: BodyShare) {
    this.#options = options;
    this.#token = token;
    this.#socket = socket;
    this.#share = share;
  }

  async serve(): Promise<void> {
    const { log } = this.#options;
    try {
      const line = await readLine(this.#socket, {
        maxBytes: fixedLimits.localHelloBytes.value,
        timeoutMs: fixedLimits.localHelloMs.value,
        share: this.#share,
      });
      const hello = line === undefined ? 'no first line came in time' : readHello(line);
      const flaw = typeof hello === 'string' ? hello : this.#tokenFlaw(hello);
      if (typeof hello === 'string' || flaw !== undefined) return this.#end({ ok: false, error: flaw ?? '' });
      await (hello.wanted === 'mcp' ? this.#mcp(hello) : this.#answer(hello, hello.wanted));
    } catch (error) {
      log.error('socket.failed', { error });
      this.#socket.destroy();
    }
  }

  #tokenFlaw({ token }: Hello): string | undefined {
    if (sameToken(token, this.#token)) return undefined;
    this.#options.audit.authenticationFailed({ door: 'socket', reason: 'wrong token' });
    return 'the token is wrong: it stands in the file local-token of the data folder';
  }

  async #answer({ agent }: Hello, wanted: Question): Promise<void> {
    // A hook belongs to an agent. Requests of operators need no agent.
    if (agent === undefined && ofAgent(wanted)) return this.#end({ ok: false, error: NAMELESS });
    const body = hasBody(wanted) ? await this.#body() : '';
    if (body === undefined) return this.#end({ ok: false, error: 'no second line came in time' });
    const answer = await this.#options.answer(wanted, stdioPrincipal(agent ?? OPERATOR), body);
    this.#end({ ok: true, version: this.#options.version, answer });
  }

  #body(): Promise<string | undefined> {
    return readLine(this.#socket, {
      maxBytes: fixedLimits.captureBodyBytes.value,
      timeoutMs: fixedLimits.localHelloMs.value,
      share: this.#share,
    });
  }

  async #mcp(hello: Hello): Promise<void> {
    const { mcp, log, version, settings } = this.#options;
    const own = settings(this.#token);
    this.#write({ ok: true, version, settings: own });
    const agent = hello.agent ?? (await this.#nameOfClient());
    if (agent === undefined) return endSocket(this.#socket);
    const connection = this.#connection(hello, own);
    log.info('socket.connected', { agent, version: hello.version });
    try {
      const nameFrom = hello.agent === undefined ? 'client' : 'flag';
      const caller = stdioPrincipal(agent, { sets: connection.toolsets, nameFrom });
      await mcp(this.#socket, this.#socket, caller, connection);
    } finally {
      endSocket(this.#socket);
    }
  }

  #connection(
    { instance, toolsets, project, client, head, settings = {} }: Hello,
    own: SettingDigests,
  ): Connection {
    return {
      transport: 'stdio',
      since: this.#options.now(),
      toolsets: toolsets ? new Set(toolsets) : STDIO_TOOL_SETS,
      ...(instance !== undefined && { instance, repeats: true }),
      ...(project && { project }),
      ...(client && { client }),
      ...(head !== undefined && { head }),
      ignoredSettings: differingSettings(settings, own),
    };
  }

  /** Reads messages until one gives a name, answers the others with an error, and puts the last one back. */
  async #nameOfClient(): Promise<string | undefined> {
    for (let lines = 0; lines < MAX_OPENING_LINES; lines++) {
      // One line has one turn of the loop.
      await nextTurn();
      const line = await readLine(this.#socket, {
        maxBytes: fixedLimits.localOpeningBytes.value,
        unfinishedMs: fixedLimits.mcpUnfinishedMs.value,
        share: this.#share,
      });
      if (line === undefined) return undefined;
      const { id, name } = readOpening(line);
      const refusal = name === undefined ? NAMELESS : nameFlaw(name);
      if (name !== undefined && refusal === undefined) {
        this.#socket.unshift(Buffer.from(`${line}\n`));
        return name;
      }
      if (id !== undefined) this.#socket.write(refusalLine(id, refusal ?? NAMELESS));
    }
    this.#socket.write(
      refusalLine(null, `${NAMELESS}; ${MAX_OPENING_LINES} lines did not, and the connection is closed`),
    );
    return undefined;
  }

  #write(welcome: Welcome): void {
    this.#socket.write(welcomeLine(welcome));
  }

  #end(welcome: Welcome): void {
    endSocket(this.#socket, welcomeLine(welcome));
  }
}
