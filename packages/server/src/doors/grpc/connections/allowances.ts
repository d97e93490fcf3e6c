/**
 * How many bytes somebody may send that become nothing: so many at once, and so many more with each tick. Who has sent
 * more is in debt, and the debt is bounded: it is paid off in the time in which the whole allowance comes back.
 */
export interface AllowanceLimits {
  readonly most: number;
  readonly perTick: number;
}

interface Allowance {
  left: number;
  tick: number;
}

export class Allowances {
  readonly #limits: AllowanceLimits;
  /** Of those who have spent something. */
  readonly #of = new Map<string, Allowance>();
  #tick = 0;

  constructor(limits: AllowanceLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#of.size;
  }

  inDebt(who: string): boolean {
    const allowance = this.#of.get(who);
    return allowance !== undefined && this.#leftOf(allowance) <= 0;
  }

  /** A negative number gives something back. */
  spend(who: string, bytes: number): void {
    const { most } = this.#limits;
    const allowance = this.#of.get(who);
    const left = Math.max(-most, (allowance ? this.#leftOf(allowance) : most) - bytes);
    if (left >= most) this.#of.delete(who);
    else this.#of.set(who, { left, tick: this.#tick });
  }

  tick(): void {
    this.#tick++;
  }

  /** Forgets those who have their whole allowance again. */
  forgetPaid(): void {
    for (const [who, allowance] of this.#of)
      if (this.#leftOf(allowance) >= this.#limits.most) this.#of.delete(who);
  }

  #leftOf({ left, tick }: Allowance): number {
    const { most, perTick } = this.#limits;
    return Math.min(most, left + (this.#tick - tick) * perTick);
  }
}
