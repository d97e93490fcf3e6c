/**
 * Under which name a connection acts. One that was started without a name may take one, once, unless another connection
 * has it (services/handoffs/unnamed.ts decides the rest).
 */
import { randomUUID } from 'node:crypto';
import type { Naming, Principal } from '../../auth/principal.js';

export class ConnectionName implements Naming {
  readonly #others: ReadonlySet<ConnectionName>;
  readonly #mark: string;
  readonly #onSettled: () => void;
  #principal: Principal;
  #claimed: string | undefined;

  /** `instance` is which window it is, where that is known: the window is then found again after a restart. */
  constructor(
    principal: Principal,
    instance: string | undefined,
    others: ReadonlySet<ConnectionName>,
    onSettled: () => void,
  ) {
    this.#others = others;
    this.#mark = `window:${instance ?? randomUUID()}`;
    this.#onSettled = onSettled;
    const isUnnamed = principal.nameFrom === 'client';
    this.#principal = isUnnamed ? { ...principal, unnamed: { mark: this.#mark, naming: this } } : principal;
  }

  get principal(): Principal {
    return this.#principal;
  }

  claim(agent: string): boolean {
    if (this.#claimed !== undefined && this.#claimed !== agent) return false;
    const isOwn = agent === this.#principal.agent;
    if (!isOwn && [...this.#others].some((other) => other !== this && other.#holds(agent))) return false;
    this.#claimed = agent;
    return true;
  }

  settle(agent: string): void {
    this.#claimed = undefined;
    if (!this.#principal.unnamed?.naming) return;
    const isNew = agent !== this.#principal.agent;
    this.#principal = { ...this.#principal, agent, nameFrom: 'flag', unnamed: { mark: this.#mark } };
    if (isNew) this.#onSettled();
  }

  release(): void {
    this.#claimed = undefined;
  }

  #holds(agent: string): boolean {
    return agent === this.#principal.agent || agent === this.#claimed;
  }
}
