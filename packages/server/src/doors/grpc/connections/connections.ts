/**
 * The connections to the gRPC port, from the moment at which one is accepted. A connection is a stranger until a call on
 * it had a valid credential.
 *
 * N1. There is a most of connections in all, of a caller, of strangers, and of strangers at one address. When strangers are too many,
 *     the oldest without an open call makes room.
 * N2. Strangers at one address have one allowance: connections, calls, and bytes that become no message (frames that only
 *     keep the server busy) are taken from it. Beyond it their connections are cut, and new ones are closed at once. A
 *     connection that turns out to be somebody's gets back what it took.
 * N3. A caller has a larger allowance, for bytes that become no message on its connections.
 * N4. A connection that does not greet in time is cut. A stranger without an open call is told to go after a while. One
 *     with a credential may be idle; the pings of the server notice when it is gone.
 */
import type { ServerHttp2Session, ServerHttp2Stream } from 'node:http2';
import type { Server as NetServer, Socket } from 'node:net';
import { addressGroup } from '../../../config/address-group.js';
import type { Cidr } from '../../../config/cidr.js';
import { fixedLimits } from '../../../config/fixed-limits.js';
import { Allowances } from './allowances.js';
import { Connection } from './connection.js';
import { Strangers } from './strangers.js';

export type CutReason = 'too much that is no message' | 'no greeting' | 'too many connections';

export interface ConnectionsOptions {
  /** Behind its address there are many: each of its connections counts by itself. */
  readonly trustedProxy: Cidr | undefined;
  /** A connection was cut, or not taken. */
  onCut(reason: CutReason, address: string): void;
}

const TICK_MS = 100;
const TICKS_PER_SECOND = 1_000 / TICK_MS;
const GREETING_TICKS = fixedLimits.grpcGreetingMs.value / TICK_MS;
const IDLE_TICKS = fixedLimits.grpcIdleStrangerMs.value / TICK_MS;
const CALL_BYTES = fixedLimits.grpcArrivingCallBytes.value;
/** A connection that has cost no more is heard although its address is in debt: a call may show a credential. */
const HEARD_BYTES = 8 * CALL_BYTES;

export class Connections {
  readonly #onCut: ConnectionsOptions['onCut'];
  readonly #trustedProxy: Cidr | undefined;
  readonly #all = new Map<string, Connection>();
  /** How many connections each caller has. */
  readonly #callers = new Map<string, number>();
  readonly strangers = new Strangers();
  readonly ofAddress = new Allowances({
    most: fixedLimits.grpcStrangerBytes.value,
    perTick: fixedLimits.grpcStrangerBytesPerSecond.value / TICKS_PER_SECOND,
  });
  readonly #ofCaller = new Allowances({
    most: fixedLimits.grpcUselessBytesOfCaller.value,
    perTick: fixedLimits.grpcUselessBytesOfCallerPerSecond.value / TICKS_PER_SECOND,
  });
  readonly #timer = setInterval(() => this.#lookAround(), TICK_MS).unref();
  #tick = 0;

  constructor({ onCut, trustedProxy }: ConnectionsOptions) {
    this.#onCut = onCut;
    this.#trustedProxy = trustedProxy;
  }

  get size(): number {
    return this.#all.size;
  }

  /** Puts itself before everything that the server does with a connection. */
  guard(server: NetServer): void {
    const serve = server.listeners('connection');
    server.removeAllListeners('connection');
    server.on('connection', (socket: Socket) => {
      if (!this.#enter(socket)) socket.destroy();
      else for (const listener of serve) listener.call(server, socket);
    });
    server.on('session', (session: ServerHttp2Session) => {
      const connection = this.of(peerOf(session.socket));
      if (!connection) return;
      connection.session = session;
      session.once('remoteSettings', () => {
        connection.greeted = true;
      });
    });
  }

  /** As grpc-js names the other side of a call. */
  of(peer: string): Connection | undefined {
    return this.#all.get(peer);
  }

  /** False: the connection was cut, and the call is gone. */
  begin(stream: ServerHttp2Stream): boolean {
    const connection = stream.session && this.of(peerOf(stream.session.socket));
    if (!connection) return !stream.destroyed;
    if (connection.caller === undefined) {
      this.#spend(connection, CALL_BYTES);
      if (this.#costsTooMuch(connection)) return this.#cut(connection);
    }
    connection.open++;
    stream.once('close', () => {
      connection.open--;
      connection.busyAt = this.#tick;
    });
    return true;
  }

  /** A call on it had a valid credential. */
  known(connection: Connection, caller: string): void {
    // The headers of such a call are no burden.
    connection.useful(CALL_BYTES);
    if (connection.caller !== undefined) return;
    connection.caller = caller;
    this.strangers.leave(connection);
    this.ofAddress.spend(connection.address, -connection.spent);
    const own = (this.#callers.get(caller) ?? 0) + 1;
    this.#callers.set(caller, own);
    if (own > fixedLimits.grpcConnectionsOfCaller.value) this.#cut(connection, 'too many connections');
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #enter(socket: Socket): boolean {
    const { remoteAddress = '' } = socket;
    const address = this.#trustedProxy?.contains(remoteAddress)
      ? peerOf(socket)
      : addressGroup(remoteAddress);
    if (this.ofAddress.inDebt(address)) return this.#refuse('too much that is no message', address);
    if (this.#all.size >= fixedLimits.grpcConnections.value)
      return this.#refuse('too many connections', address);
    const tooMany = this.strangers.inTheWay(address);
    if (tooMany === 'nobody makes room') return this.#refuse('too many connections', address);
    if (tooMany) {
      this.#onCut('too many connections', tooMany.address);
      tooMany.cut();
    }
    this.#add(new Connection(address, socket, this.#tick), socket);
    return true;
  }

  #add(connection: Connection, socket: Socket): void {
    const peer = peerOf(socket);
    this.#all.set(peer, connection);
    this.strangers.enter(connection);
    this.#spend(connection, CALL_BYTES);
    socket.once('close', () => {
      this.#all.delete(peer);
      this.strangers.leave(connection);
      if (connection.caller !== undefined) this.#leave(connection.caller);
    });
  }

  #leave(caller: string): void {
    const left = (this.#callers.get(caller) ?? 0) - 1;
    if (left > 0) this.#callers.set(caller, left);
    else this.#callers.delete(caller);
  }

  #spend(connection: Connection, bytes: number): void {
    connection.spent += bytes;
    this.ofAddress.spend(connection.address, bytes);
  }

  #costsTooMuch({ spent, address }: Connection): boolean {
    return spent > HEARD_BYTES && this.ofAddress.inDebt(address);
  }

  #refuse(reason: CutReason, address: string): false {
    this.#onCut(reason, address);
    return false;
  }

  #cut(connection: Connection, reason: CutReason = 'too much that is no message'): false {
    connection.cut();
    return this.#refuse(reason, connection.address);
  }

  #lookAround(): void {
    this.#tick++;
    this.ofAddress.tick();
    this.#ofCaller.tick();
    for (const connection of this.#all.values()) this.#judge(connection);
    if (this.#tick % TICKS_PER_SECOND !== 0) return;
    this.ofAddress.forgetPaid();
    this.#ofCaller.forgetPaid();
  }

  #judge(connection: Connection): void {
    const { caller } = connection;
    const useless = connection.takeUseless();
    if (caller !== undefined) {
      if (useless === 0) return;
      this.#ofCaller.spend(caller, useless);
      if (useless > 0 && this.#ofCaller.inDebt(caller)) this.#cut(connection);
      return;
    }
    if (useless !== 0) this.#spend(connection, useless);
    const quiet = connection.open > 0 ? 0 : this.#tick - connection.busyAt;
    if (useless > 0 && this.#costsTooMuch(connection)) this.#cut(connection);
    else if (!connection.greeted && this.#tick - connection.since >= GREETING_TICKS)
      this.#cut(connection, 'no greeting');
    else if (quiet >= IDLE_TICKS) connection.endIdle();
  }
}

function peerOf({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string {
  return `${remoteAddress}:${remotePort}`;
}
