/**
 * One connection to the primary.
 *
 * N1. It is used only when the server has shown that it keeps what it acknowledges (server-check.ts).
 * N2. Every flush has a deadline of its own: of a half-open link nothing is ever heard. After it the socket is destroyed.
 * N3. Once something is wrong with the connection itself it is never used again, and every call ends with `Lost`.
 */
import pg from 'pg';
import { connectSentence, endsConnection, Lost, messageOf, refused, type Where } from './errors.js';
import { factsOf, READ_SESSION, SET_SESSION, type ServerFacts, serverFlaw } from './server-check.js';
import { type Done, type Prepared, Stage, type Step } from './stage.js';

const CONNECT_MS = 5_000;
const FLUSH_MS = 5_000;
const END_MS = 1_000;

export interface ConnectionOptions {
  readonly url: string;
  /** Shown in the server's list of connections. */
  readonly name?: string;
  /** Tests ask for a server that is not there yet. */
  readonly oldestServer?: number;
}

/** The server does not let us in, or is none that will do. */
export class CannotConnect extends Error {
  readonly sentence: string;

  constructor(sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.sentence = sentence;
  }
}

export class Connection {
  readonly #client: pg.Client;
  readonly #prepared: Prepared = { kept: new Set(), uncertain: new Set() };
  #facts: ServerFacts | undefined;
  #isLost = false;
  /** Told once, when the connection is of no use any more. */
  onLost: () => void = () => {};

  private constructor(client: pg.Client) {
    this.#client = client;
    client.on('error', () => this.#lose());
    client.on('end', () => this.#lose());
  }

  static async open({ url, name = 'handover', oldestServer }: ConnectionOptions): Promise<Connection> {
    const client = createClient(url, name);
    const connection = new Connection(client);
    try {
      await client.connect();
      const [, back] = await connection.run([SET_SESSION, READ_SESSION]);
      connection.#facts = factsOf(back?.rows[0] ?? []);
    } catch (thrown) {
      connection.destroy();
      throw new CannotConnect(connectSentence(thrown, whereOf(client)), thrown);
    }
    const flaw = serverFlaw(connection.#facts, oldestServer);
    if (flaw === undefined) return connection;
    connection.destroy();
    throw new CannotConnect(flaw);
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  get schema(): string {
    return this.#facts?.schema ?? '';
  }

  get user(): string {
    return this.#client.user ?? '';
  }

  get database(): string {
    return this.#client.database ?? '';
  }

  /** Sends the statements in one flush. Throws `Lost`, or the server's error when the connection goes on. */
  async run(steps: readonly Step[], deadlineMs = FLUSH_MS): Promise<readonly Done[]> {
    if (this.#isLost) throw new Lost('the connection was lost');
    const stage = new Stage(steps, this.#prepared);
    return this.#within(deadlineMs, () => {
      this.#client.query(stage);
      return stage.done;
    });
  }

  /** Runs SQL that is no hot path: several statements at once, changes of the schema. */
  async script(text: string, deadlineMs = 2 * FLUSH_MS): Promise<void> {
    if (this.#isLost) throw new Lost('the connection was lost');
    await this.#within(deadlineMs, () => this.#client.query(text));
  }

  async #within<T>(deadlineMs: number, work: () => Promise<T>): Promise<T> {
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      this.destroy();
    }, deadlineMs);
    try {
      return await work();
    } catch (thrown) {
      if (isLate) throw new Lost(`the database did not answer within ${deadlineMs} ms`);
      if (!endsConnection(thrown)) throw thrown;
      this.destroy();
      // While it is being opened, what the server said is the answer.
      if (this.#facts === undefined) throw thrown;
      throw new Lost(messageOf(thrown));
    } finally {
      clearTimeout(timer);
    }
  }

  #lose(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.onLost();
  }

  /** Ends it at once, in the middle of whatever it does. */
  destroy(): void {
    this.#lose();
    socketOf(this.#client).destroy();
  }

  async end(): Promise<void> {
    if (this.#isLost) return;
    this.#lose();
    // Over a half-open link the end is never answered.
    const timer = setTimeout(() => socketOf(this.#client).destroy(), END_MS);
    await this.#client.end().catch(() => {});
    clearTimeout(timer);
  }
}

function createClient(connectionString: string, name: string): pg.Client {
  try {
    return new pg.Client({
      connectionString,
      application_name: name.slice(0, 63),
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
    });
  } catch {
    // The error would show the URL, and with it the password.
    throw refused('HANDOVER_DATABASE_URL must look like postgresql://user:password@host:5432/database');
  }
}

function whereOf(client: pg.Client): Where {
  return { host: client.host, port: client.port, user: client.user ?? '', database: client.database ?? '' };
}

function socketOf(client: pg.Client): { destroy(): void } {
  return (client as unknown as { readonly connection: { readonly stream: { destroy(): void } } }).connection
    .stream;
}
