/**
 * Stands between a store and its server, and does to the flush that stores a batch what networks do: loses it, loses the
 * answer, or lets it arrive late. It knows that flush by the name of the write statement in it.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type Fault =
  /** The flush is lost with the connection. */
  | 'before'
  /** The flush arrives, and the connection is lost at once: nobody knows whether the server was quick enough. */
  | 'at'
  /** The flush arrives and is answered; the answer is lost with the connection. */
  | 'answer'
  /** The flush is lost, and nobody says so: the connection stays, and nothing comes any more. */
  | 'silence'
  /** The connection is lost for the store; the server gets the flush when `release` is called. */
  | 'late';

const WRITE = Buffer.from('write-');
const FILE = '.s.PGSQL.5432';

export class PostgresProxy {
  readonly #folder: string;
  readonly #target: string;
  readonly #server: Server;
  readonly #links = new Set<{ readonly client: Socket; readonly server: Socket }>();
  #fault: Fault | undefined;
  #late: { readonly server: Socket; readonly flush: Buffer } | undefined;
  #isDown = false;
  /** How many faults were done. */
  done = 0;

  private constructor(socketFolder: string) {
    this.#folder = mkdtempSync(join(tmpdir(), 'hpx-'));
    this.#target = join(socketFolder, FILE);
    this.#server = createServer((client) => this.#link(client));
  }

  static async start(socketFolder: string): Promise<PostgresProxy> {
    const proxy = new PostgresProxy(socketFolder);
    await new Promise<void>((resolve, reject) => {
      proxy.#server.once('error', reject);
      proxy.#server.listen(join(proxy.#folder, FILE), resolve);
    });
    return proxy;
  }

  /** The same database, through the proxy. */
  url(direct: string): string {
    return direct.replace(/@[^/]+\//, `@${encodeURIComponent(this.#folder)}/`);
  }

  /** The next batch that somebody stores meets this fault. */
  next(fault: Fault): void {
    this.#fault = fault;
  }

  /** What was held back goes to the server now; resolves when the server has answered or closed. */
  async release(): Promise<void> {
    const late = this.#late;
    this.#late = undefined;
    if (!late) throw new Error('nothing is held back');
    const over = new Promise<void>((resolve) => {
      late.server.once('data', () => resolve());
      late.server.once('close', () => resolve());
    });
    late.server.write(late.flush);
    await over;
    late.server.destroy();
  }

  /** Cuts everything, and lets nobody in. */
  down(): void {
    this.#isDown = true;
    for (const { client, server } of this.#links) {
      client.destroy();
      server.destroy();
    }
  }

  up(): void {
    this.#isDown = false;
  }

  async stop(): Promise<void> {
    this.down();
    this.#late?.server.destroy();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #link(client: Socket): void {
    if (this.#isDown) {
      client.destroy();
      return;
    }
    const server = createConnection(this.#target);
    const link = { client, server };
    this.#links.add(link);
    let loses: Fault | undefined;
    const cut = () => {
      client.destroy();
      if (loses !== 'late') server.destroy();
      this.#links.delete(link);
    };
    client.on('data', (chunk) => {
      if (loses !== undefined) return;
      if (this.#fault === undefined || !chunk.includes(WRITE)) {
        server.write(chunk);
        return;
      }
      loses = this.#fault;
      this.#fault = undefined;
      this.done++;
      if (loses === 'late') this.#late = { server, flush: chunk };
      else if (loses === 'at' || loses === 'answer') server.write(chunk);
      if (loses === 'at') server.end();
      if (loses !== 'answer' && loses !== 'silence') cut();
    });
    server.on('data', (chunk) => {
      if (loses === undefined) client.write(chunk);
      else if (loses === 'answer') cut();
    });
    client.on('error', () => {}).on('close', cut);
    server
      .on('error', () => {})
      .on('close', () => {
        // The server gives up the transaction after a while; of that nothing is heard either.
        if (loses !== 'silence') cut();
      });
  }
}
