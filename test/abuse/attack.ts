/**
 * One row of the list of findings, as an attack over real sockets. It may be run against any build of the server, and
 * takes nothing for granted: what the server answers is what is observed.
 */
import type { ChainNodes } from './arena/chain-nodes.js';
import type { Target, TargetAddress, TargetOptions } from './arena/target.js';

export interface Attack {
  readonly row: string;
  readonly title: string;
  /** The small form: seconds, on servers of its own. Says in a few lines what was observed. */
  probe(arena: Arena): Promise<void>;
  /** At full size, beside the well-behaved client: goes on until `over`. */
  full?(battle: Battle): Promise<void>;
}

export interface Arena {
  readonly nodes: ChainNodes;
  say(line: string): void;
  /** Starts a server of the attacked build with real credentials, unless `env` says otherwise. */
  serve(options?: Omit<TargetOptions, 'checkout'>): Promise<Target>;
  /** The same, without waiting for it to be ready. */
  launch(options?: Omit<TargetOptions, 'checkout'>): Promise<Launched>;
}

/** What came of a start. One that is neither ready nor ended hangs. */
export interface Launched {
  readonly ready: boolean;
  readonly ended: boolean;
  readonly grpc: string;
  readonly http: string;
  /** On stderr. */
  readonly said: string;
}

export interface Battle {
  readonly target: TargetAddress;
  readonly over: AbortSignal;
  /** Counts an answer that the attacker got. */
  got(what: string): void;
}
