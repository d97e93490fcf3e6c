/**
 * A server in this process: real sockets, a real SQLite file, a clock that only the test moves. It can be stopped and
 * started again on the same folder, and its store fails on demand.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '@handover/engine';
import { openStore } from '../../packages/server/src/compose/store.js';
import {
  type ConfigurationFlags,
  readConfiguration,
} from '../../packages/server/src/config/configuration.js';
import { type Log, silentLog } from '../../packages/server/src/observe/log.js';
import { type Server, startServer } from '../../packages/server/src/server.js';
import { openPostgresStore } from '../../packages/server/src/store/postgres/index.js';
import { T0 } from './clock.js';
import { FaultyStore } from './faulty-store.js';
import { NO_RATE_LIMITS } from './no-rate-limits.js';
import { freshSchema } from './postgres/fresh.js';

/** `postgres`: servers have their logs in PostgreSQL. Any test can be run so. */
const STORE_NAME = 'HANDOVER_TEST_STORE';

export interface TestServerOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly flags?: ConfigurationFlags;
  readonly log?: Log;
  /** Milliseconds since 1970; without it the clock stands still until `advance`. */
  readonly now?: () => number;
}

export class TestServer {
  readonly folder = mkdtempSync(join(tmpdir(), 'handover-'));
  readonly #options: TestServerOptions;
  #clock = T0;
  #url: string | undefined;
  #running: { readonly server: Server; readonly store: FaultyStore } | undefined;

  private constructor(options: TestServerOptions) {
    this.#options = options;
  }

  static async start(options: TestServerOptions = {}): Promise<TestServer> {
    const server = new TestServer(options);
    await server.open();
    return server;
  }

  get now(): number {
    return this.#options.now?.() ?? this.#clock;
  }

  advance(ms: number): void {
    this.#clock += ms;
  }

  get store(): FaultyStore {
    return this.#up.store;
  }

  get grpc(): string {
    const { host, port } = this.#up.server.grpc;
    return `${host}:${port}`;
  }

  get http(): string {
    return this.#up.server.httpUrl;
  }

  get auth(): string {
    return this.#up.server.auth;
  }

  async restart(): Promise<void> {
    await this.close();
    await this.open();
  }

  async open(): Promise<void> {
    const { env = {}, flags = {}, log = silentLog } = this.#options;
    const configuration = readConfiguration(
      {
        MACP_BIND_ADDR: '127.0.0.1:0',
        MCP_HTTP_PORT: '0',
        HANDOVER_DATA_DIR: this.folder,
        HANDOVER_DISK_FLOOR_BYTES: '0',
        ...NO_RATE_LIMITS,
        MACP_SHUTDOWN_DRAIN_SECS: '1',
        ...env,
      },
      flags,
    );
    const now = () => this.now;
    const store = new FaultyStore(
      process.env[STORE_NAME] === 'postgres'
        ? await this.#openDatabase(now)
        : await openStore(configuration, log),
    );
    this.#running = {
      store,
      server: await startServer(configuration, { log, now, monotonicNow: now, store }),
    };
  }

  async #openDatabase(clock: () => number): Promise<Store> {
    this.#url ??= await freshSchema();
    return openPostgresStore({ url: this.#url, clock });
  }

  /** Stops the server; the folder stays. */
  async close(): Promise<void> {
    const { server, store } = this.#up;
    this.#running = undefined;
    await server.close();
    await store.close();
  }

  async remove(): Promise<void> {
    if (this.#running) await this.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  get #up() {
    if (!this.#running) throw new Error('the server is not running');
    return this.#running;
  }
}
