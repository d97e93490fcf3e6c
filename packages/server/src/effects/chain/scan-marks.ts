/** How far the chain was compared with each ask and each claim, so that no look begins from the beginning. In memory only. */
import { fixedLimits } from '../../config/fixed-limits.js';
import { BoundedCache } from '../../services/bounded-cache.js';

export interface ScanMark {
  /** Every transaction of the account with a lower number was compared. */
  readonly nonce?: number;
  /** Every block up to this one was compared. */
  readonly block?: number;
}

export class ScanMarks {
  readonly #marks: BoundedCache<ScanMark>;

  constructor(items: number = fixedLimits.scanMarks.value) {
    this.#marks = new BoundedCache({ items, weight: items });
  }

  of(key: string): ScanMark {
    return this.#marks.get(key) ?? {};
  }

  set(key: string, mark: ScanMark): void {
    this.#marks.set(key, mark, 1);
  }
}
