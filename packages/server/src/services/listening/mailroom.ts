/**
 * What waits for listeners and is stored nowhere else: signals, and news of sessions and registries.
 *
 * M1. An item that goes to many is held once; each mailbox holds a reference.
 * M2. What waits for one listener is bounded in bytes, together with what waits on its connection. Beyond that its mailbox
 *     is emptied and its call ends with STREAM_LAGGED. A listener for which nothing waits gets its item, however large.
 * M3. All items together are bounded in bytes. Beyond that the fullest mailboxes are cut off in the same way.
 */
import { lagged } from './lagged.js';
import type { Listener } from './listener.js';
import { Mailbox, type Parcel } from './mailbox.js';

export interface MailroomLimits {
  readonly perListener: number;
  readonly inAll: number;
}

export class Mailroom {
  readonly #limits: MailroomLimits;
  readonly #boxes = new Set<Pick<Mailbox<unknown>, 'bytes' | 'cut'>>();
  #bytes = 0;

  constructor(limits: MailroomLimits) {
    this.#limits = limits;
  }

  get bytes(): number {
    return this.#bytes;
  }

  open<T>(listener: Listener): Mailbox<T> {
    const box = new Mailbox<T>(listener, {
      dropped: (parcel) => {
        if (--parcel.holders === 0) this.#bytes -= parcel.bytes;
      },
      closed: () => this.#boxes.delete(box),
    });
    this.#boxes.add(box);
    return box;
  }

  /** `bytes` is roughly what the item costs in memory. */
  send<T>(item: T, bytes: number, boxes: Iterable<Mailbox<T>>): void {
    const parcel: Parcel<T> = { item, bytes, holders: 0 };
    for (const box of boxes) {
      if (box.waiting > 0 && box.waiting + bytes > this.#limits.perListener) box.cut(lagged());
      else box.put(parcel);
    }
    if (parcel.holders > 0) this.#bytes += bytes;
    if (this.#bytes > this.#limits.inAll) this.#cutFullest();
  }

  #cutFullest(): void {
    const fullest = [...this.#boxes].sort((one, other) => other.bytes - one.bytes);
    for (const box of fullest) {
      if (this.#bytes <= this.#limits.inAll) return;
      box.cut(lagged());
    }
  }
}
