/** The connections of strangers, the oldest first: in all, and of each address. */
import { fixedLimits } from '../../../config/fixed-limits.js';
import type { Connection } from './connection.js';

const IN_ALL = fixedLimits.grpcConnectionsOfStrangers.value;
const OF_ADDRESS = fixedLimits.grpcConnectionsOfAddress.value;

export class Strangers {
  readonly #all = new Set<Connection>();
  readonly #ofAddress = new Map<string, Set<Connection>>();

  get size(): number {
    return this.#all.size;
  }

  enter(connection: Connection): void {
    this.#all.add(connection);
    const own = this.#ofAddress.get(connection.address) ?? new Set();
    this.#ofAddress.set(connection.address, own.add(connection));
  }

  leave(connection: Connection): void {
    if (!this.#all.delete(connection)) return;
    const own = this.#ofAddress.get(connection.address);
    own?.delete(connection);
    if (own?.size === 0) this.#ofAddress.delete(connection.address);
  }

  /** Who has to go before one more of this address can come. Undefined: there is room. */
  inTheWay(address: string): Connection | 'nobody makes room' | undefined {
    const own = this.#ofAddress.get(address);
    const full = own && own.size >= OF_ADDRESS ? own : this.#all.size >= IN_ALL ? this.#all : undefined;
    if (!full) return undefined;
    const oldest = oldestWithoutCall(full);
    if (!oldest) return 'nobody makes room';
    this.leave(oldest);
    return oldest;
  }
}

function oldestWithoutCall(connections: ReadonlySet<Connection>): Connection | undefined {
  for (const connection of connections) if (connection.open === 0) return connection;
  return undefined;
}
