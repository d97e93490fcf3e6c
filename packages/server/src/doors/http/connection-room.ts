/**
 * Room for so many connections. When it is full, the oldest one that has asked for nothing yet makes way: connections
 * that only stand there keep nobody out. When all have asked for something, a new one is refused.
 *
 * A connection is known by its other end, which is the same above and below TLS.
 */
import type { Socket } from 'node:net';

export class ConnectionRoom {
  readonly #most: number;
  readonly #all = new Map<string, Socket>();
  /** Without a request so far, the oldest first. */
  readonly #silent = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  /** False: it was full, and somebody was cut off, perhaps the newcomer. */
  enter(socket: Socket): boolean {
    const name = nameOf(socket);
    const isFull = this.#all.size >= this.#most;
    this.#all.set(name, socket);
    this.#silent.add(name);
    socket.once('close', () => this.#forget(name, socket));
    if (isFull) this.#cutOldest();
    return !isFull;
  }

  /** It has asked for something. */
  asked(socket: Socket): void {
    this.#silent.delete(nameOf(socket));
  }

  #cutOldest(): void {
    const [oldest] = this.#silent;
    const socket = oldest === undefined ? undefined : this.#all.get(oldest);
    if (oldest === undefined || !socket) return;
    socket.destroy();
    this.#forget(oldest, socket);
  }

  /** Its end may be told late, when another connection has come from the same port. */
  #forget(name: string, socket: Socket): void {
    if (this.#all.get(name) !== socket) return;
    this.#all.delete(name);
    this.#silent.delete(name);
  }
}

const nameOf = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`;
