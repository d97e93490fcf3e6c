/**
 * What a stream delivers: at most one delivery at a time, of one session. A delivery begins only after the service has
 * allowed the caller to read the session.
 */
import { FaultCode, HandoverError, type Rejection } from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import type { Listener } from '../../../services/listening/listener.js';
import type { DoorContext } from '../context.js';
import { laggedStatus, SHUTTING_DOWN, type Status, statusOfFault } from '../errors.js';
import type { Listening } from '../listen.js';
import type { Outgoing } from '../outgoing.js';
import { logFault } from '../unary.js';
import { Delivery } from './delivery.js';

/** Larger than any ordinal: the service takes it as "from now on". */
export const LIVE = Number.MAX_SAFE_INTEGER;

export class SessionFeed {
  readonly #context: DoorContext;
  readonly #principal: Principal;
  readonly #listener: Listener;
  readonly #out: Outgoing;
  readonly #withControls: boolean;
  #delivery: Delivery | undefined;

  constructor(
    context: DoorContext,
    { principal, listener }: Listening,
    out: Outgoing,
    withControls: boolean,
  ) {
    this.#context = context;
    this.#principal = principal;
    this.#listener = listener;
    this.#out = out;
    this.#withControls = withControls;
  }

  get begun(): boolean {
    return this.#delivery !== undefined;
  }

  /** Delivers what follows an ordinal and ends the delivery before. Returns a rejection if the caller may not read. */
  async follow(sessionId: string, after: number): Promise<Rejection | undefined> {
    let delivery: Delivery | undefined;
    // Ends the call at the cut and not at the next pull: a reader that has stopped reading never pulls again.
    const cutOff = () => {
      this.#context.deps.metrics.listenerCutOff();
      this.end(laggedStatus(delivery?.written ?? after));
    };
    const opened = await this.#context.sessions.follow(this.#principal, sessionId, after, cutOff);
    if ('rejection' in opened) return opened.rejection;
    this.#delivery?.close();
    delivery = new Delivery(opened.value, this.#out, {
      listener: this.#listener,
      withControls: this.#withControls,
    });
    this.#delivery = delivery;
    if (this.#out.ended) delivery.close();
    else void this.#run(delivery);
    return undefined;
  }

  /** Resolves when everything that is stored by now was written. */
  async drain(sessionId: string): Promise<void> {
    const delivery = this.#delivery;
    if (!delivery) return;
    const opened = await this.#context.sessions.follow(this.#principal, sessionId, LIVE);
    if ('rejection' in opened) return;
    const { subscription } = opened.value;
    subscription.close();
    await delivery.reached(subscription.cursor);
  }

  /** Ends the delivery and the call, with OK if there is no status. */
  end(status?: Status): void {
    this.close();
    this.#out.end(status);
  }

  close(): void {
    this.#delivery?.close();
  }

  async #run(delivery: Delivery): Promise<void> {
    try {
      // The subscription has ended although the session goes on: the engine is closing.
      if (await delivery.run()) this.end(SHUTTING_DOWN);
    } catch (thrown) {
      if (delivery.closed) return;
      logFault(this.#context.log, thrown);
      const lagged = HandoverError.from(thrown).code === FaultCode.STREAM_LAGGED;
      this.end(lagged ? laggedStatus(delivery.written) : statusOfFault(thrown));
    }
  }
}
