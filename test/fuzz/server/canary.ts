/**
 * A well-behaved client beside the bad ones. It hands work over, keeps notes, prepares an operation, and writes down
 * what it was told. All of that must be there until the end.
 */
import { accept, commit, offer, start } from '../../kit/envelopes.js';
import { GrpcClient } from '../../kit/grpc-client.js';
import type { Flaw } from '../target.js';
import type { Json } from '../values/json.js';
import { callTool } from './mcp-wire.js';
import { bearerOf, type Mode } from './people.js';

export interface Place {
  readonly mode: Mode;
  readonly http: URL;
  readonly grpc: string;
}

interface Told {
  readonly session: string;
  readonly messages: readonly string[];
  readonly key: string;
  readonly operation: string;
  readonly digest: string;
}

/** So many of the earlier rounds are looked at again each time; at the end, all. */
const LOOKED_AT = 5;
const CONTENT = 'what was done so far';

export class Canary {
  readonly #told: Told[] = [];

  get rounds(): number {
    return this.#told.length;
  }

  /** One more round, then a look at some of the earlier ones. */
  async sing(place: Place): Promise<Flaw | undefined> {
    try {
      this.#told.push(await this.#round(place));
      const step = Math.max(1, Math.floor(this.#told.length / LOOKED_AT));
      await this.#look(
        place,
        this.#told.filter((_, index) => index % step === 0),
      );
      return undefined;
    } catch (thrown) {
      return { kind: 'canary', what: String(thrown) };
    }
  }

  async lookAtAll(place: Place): Promise<Flaw | undefined> {
    try {
      await this.#look(place, this.#told);
      return undefined;
    } catch (thrown) {
      return { kind: 'canary', what: String(thrown) };
    }
  }

  async #round(place: Place): Promise<Told> {
    const session = crypto.randomUUID();
    const messages = await handOver(place, session);
    const key = `canary-${session}`;
    await tool(place, 'registerSession', { sessionKey: key, agentFrom: 'canary' });
    await tool(place, 'updateContext', { sessionKey: key, contextType: 'message', content: CONTENT });
    const made = await tool(place, 'create_operation_handoff', OPERATION);
    const data = made.data as Record<string, Json>;
    return { session, messages, key, operation: String(data.id), digest: String(data.digest) };
  }

  async #look(place: Place, told: readonly Told[]): Promise<void> {
    const client = new GrpcClient(place.grpc, { bearer: bearerOf(place.mode, 'canary') ?? null });
    try {
      for (const { session, messages, key, operation, digest } of told) {
        const history = (await client.history(session)).map(({ messageId }) => messageId);
        same('the history of a session', history, messages);
        const read = await tool(place, 'get_operation_status', { operationId: operation });
        same('the digest of an operation', (read.data as Record<string, Json>).digest, digest);
        await tool(place, 'updateContext', {
          sessionKey: key,
          contextType: 'message',
          content: CONTENT,
          expectedSequence: 1,
          idempotencyKey: 'second',
        });
      }
    } finally {
      client.close();
    }
  }
}

async function handOver({ grpc, mode }: Place, session: string): Promise<readonly string[]> {
  const client = new GrpcClient(grpc);
  const ids: string[] = [];
  try {
    const participants = ['canary', 'canary-target'];
    for (const envelope of [
      start(session, 'canary', { participants }),
      offer(session, 'h1', 'canary-target', 'canary'),
      accept(session, 'h1', 'canary-target'),
      commit(session, 'canary'),
    ]) {
      const ack = await client.send(envelope, bearerOf(mode, envelope.sender) ?? null);
      if (!ack.ok)
        throw new Error(
          `${envelope.messageType} of the canary was refused: ${ack.error?.code} ${ack.error?.message}`,
        );
      ids.push(envelope.messageId);
    }
    return ids;
  } finally {
    client.close();
  }
}

const OPERATION: Json = {
  type: 'erc20_transfer',
  network: 'testnet',
  chainId: 1879,
  summary: { title: 'Pay' },
  steps: [{ label: 'Transfer', txRequest: { to: `0x${'1'.repeat(40)}`, value: '0', data: '0xa9059cbb' } }],
};

function tool({ http, mode }: Place, name: string, args: Json): Promise<Record<string, Json>> {
  return callTool(http, bearerOf(mode, 'canary') ?? '', name, args);
}

function same(what: string, is: unknown, should: unknown): void {
  if (JSON.stringify(is) !== JSON.stringify(should))
    throw new Error(`${what} was ${JSON.stringify(should)} and is ${JSON.stringify(is)}`);
}
