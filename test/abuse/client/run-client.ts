/** Starts processes/well-behaved.ts and brings back what it measured. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Order, Outcome } from '../processes/well-behaved.js';

const CLIENT = fileURLToPath(new URL('../processes/well-behaved.ts', import.meta.url));

export class WellBehavedClient {
  readonly #child: ChildProcess;
  readonly #outcome: Promise<Outcome>;

  constructor({ grpc, http }: { readonly grpc: string; readonly http: string }) {
    this.#child = fork(CLIENT, { execArgv: ['--import', 'tsx'] });
    this.#outcome = new Promise((resolve, reject) => {
      this.#child.once('message', (outcome: Outcome) => resolve(outcome));
      this.#child.once('error', reject);
      this.#child.once('exit', (code) => reject(new Error(`the well-behaved client ended with ${code}`)));
    });
    this.#outcome.catch(() => {});
    this.#order({ kind: 'start', grpc, http });
  }

  phase(name: string): void {
    this.#order({ kind: 'phase', name });
  }

  stop(): Promise<Outcome> {
    this.#order({ kind: 'stop' });
    return this.#outcome;
  }

  #order(order: Order): void {
    this.#child.send(order);
  }
}
