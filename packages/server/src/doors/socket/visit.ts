/** One connection of the socket door, from its first line to its end (O1, O2). */
import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import type { Log } from '../../observe/log.js';
import type { Audit } from '../../observe/security-log.js';
import type { BodyShare } from '../../services/body-budget.js';
import { NAMELESS, nameFlaw, readOpening, refusalLine, takenName } from './client-name.js';
import { endSocket } from './end-socket.js';
import { type Hello, type Question, readHello, type Welcome, welcomeLine } from './hello.js';
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
    instance: string | undefined,
  ) => Promise<void>;
  /** Answers the other requests, as JSON. */
  readonly answer: (wanted: Question, principal: Principal) => Promise<unknown>;
}

const OPERATOR = 'operator';
const OTHER_WINDOW_MS = 1_000;
const MAX_OPENING_LINES = fixedLimits.localOpeningLines.value;

export class Visit {
  readonly #options: SocketDoorOptions;
  readonly #token: string;
  /** Agents that gave no agent id and are named after their assistant. */
  readonly #pinned: Set<string>;
  readonly #socket: Socket;
  /** Where its first lines count. */
  readonly #share: BodyShare;

  constructor(
    options: SocketDoorOptions,
    token: string,
    pinned: Set<string>,
    socket: Socket,
    share: BodyShare,
  ) {
    this.#options = options;
    this.#token = token;
    this.#pinned = pinned;
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
    // An inbox belongs to an agent. Requests of operators need no agent.
    if (agent === undefined && wanted === 'inbox') return this.#end({ ok: false, error: NAMELESS });
    const answer = await this.#options.answer(wanted, stdioPrincipal(agent ?? OPERATOR));
    this.#end({ ok: true, version: this.#options.version, answer });
  }

  async #mcp({ agent, instance, version }: Hello): Promise<void> {
    this.#write({ ok: true, version: this.#options.version });
    const principal = agent ?? (await this.#nameOfClient());
    if (principal === undefined) return endSocket(this.#socket);
    this.#options.log.info('socket.connected', { agent: principal, version });
    try {
      const caller = stdioPrincipal(principal, agent === undefined ? 'client' : 'flag');
      await this.#options.mcp(this.#socket, this.#socket, caller, instance);
    } finally {
      if (agent === undefined) this.#pinned.delete(principal);
      endSocket(this.#socket);
    }
  }

  /** Reads messages until one gives a free name, answers the others with an error, and puts the last one back. */
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
      if (name !== undefined) await this.#otherWindowGone(name);
      const refusal = name === undefined ? NAMELESS : this.#refusalOf(name);
      if (name !== undefined && refusal === undefined) {
        this.#pinned.add(name);
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

  #refusalOf(name: string): string | undefined {
    return nameFlaw(name) ?? (this.#pinned.has(name) ? takenName(name) : undefined);
  }

  /** Waits a moment: a client that restarts may connect before its old process is gone. */
  async #otherWindowGone(name: string): Promise<void> {
    const end = performance.now() + OTHER_WINDOW_MS;
    while (this.#pinned.has(name) && performance.now() < end) await pause(20);
  }

  #write(welcome: Welcome): void {
    this.#socket.write(welcomeLine(welcome));
  }

  #end(welcome: Welcome): void {
    endSocket(this.#socket, welcomeLine(welcome));
  }
}
