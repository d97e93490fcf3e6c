/**
 * How many bytes of bodies the door holds at once: in all, of one caller, of all strangers together, and of the
 * strangers at one address.
 *
 * B1. What counts is what has arrived, not what was announced.
 * B2. A caller beyond the limits is refused. Among strangers, the body that has been arriving for longest is given up
 *     instead: who never ends a body does not keep out who sends one.
 */
export interface BudgetLimits {
  readonly inAll: number;
  readonly ofCaller: number;
  readonly ofStrangers: number;
  readonly ofAddress: number;
}

export type Sender = { readonly caller: string } | { readonly address: string };

/** What one request holds. */
export interface BodyShare {
  /** The body was given up for others. */
  readonly isGivenUp: boolean;
  /** Called when the body is given up. */
  onGivenUp: () => void;
  /** False: there is no room. Nothing is taken then. */
  take(bytes: number): boolean;
  /** The body is there: it is not given up any more. */
  arrived(): void;
  release(): void;
}

const STRANGERS = 'strangers';

export class BodyBudget {
  readonly #limits: BudgetLimits;
  readonly #held = new Map<string, number>();
  /** Of strangers, the oldest first. */
  readonly #arriving = new Set<Share>();
  #inAll = 0;
  #most = 0;

  constructor(limits: BudgetLimits) {
    this.#limits = limits;
  }

  /** Bytes that are held now. */
  get inAll(): number {
    return this.#inAll;
  }

  /** The most that was ever held. */
  get most(): number {
    return this.#most;
  }

  open(sender: Sender): BodyShare {
    const { ofCaller, ofStrangers, ofAddress } = this.#limits;
    const bounds: readonly Bound[] =
      'caller' in sender
        ? [{ name: `caller ${sender.caller}`, most: ofCaller }]
        : [
            { name: `address ${sender.address}`, most: ofAddress },
            { name: STRANGERS, most: ofStrangers },
          ];
    return new Share(this, bounds, 'address' in sender);
  }

  take(share: Share, bytes: number): boolean {
    for (const bound of share.bounds)
      while (this.#isOver(bound, bytes)) if (!this.#giveUpOne(bound, share)) return false;
    if (this.#inAll + bytes > this.#limits.inAll) return false;
    if (share.canBeGivenUp) this.#arriving.add(share);
    this.add(share, bytes);
    return true;
  }

  add({ bounds }: Share, bytes: number): void {
    for (const { name } of bounds) {
      const held = (this.#held.get(name) ?? 0) + bytes;
      if (held === 0) this.#held.delete(name);
      else this.#held.set(name, held);
    }
    this.#inAll += bytes;
    this.#most = Math.max(this.#most, this.#inAll);
  }

  keep(share: Share): void {
    this.#arriving.delete(share);
  }

  #isOver({ name, most }: Bound, bytes: number): boolean {
    return (this.#held.get(name) ?? 0) + bytes > most;
  }

  #giveUpOne({ name }: Bound, asking: Share): boolean {
    for (const share of this.#arriving)
      if (share !== asking && share.bounds.some((bound) => bound.name === name)) {
        share.giveUp();
        return true;
      }
    return false;
  }
}

interface Bound {
  readonly name: string;
  readonly most: number;
}

class Share implements BodyShare {
  readonly bounds: readonly Bound[];
  readonly canBeGivenUp: boolean;
  readonly #budget: BodyBudget;
  #own = 0;
  isGivenUp = false;
  onGivenUp = () => {};

  constructor(budget: BodyBudget, bounds: readonly Bound[], canBeGivenUp: boolean) {
    this.#budget = budget;
    this.bounds = bounds;
    this.canBeGivenUp = canBeGivenUp;
  }

  take(bytes: number): boolean {
    if (this.isGivenUp || !this.#budget.take(this, bytes)) return false;
    this.#own += bytes;
    return true;
  }

  arrived(): void {
    this.#budget.keep(this);
  }

  giveUp(): void {
    this.release();
    this.isGivenUp = true;
    this.onGivenUp();
  }

  release(): void {
    this.#budget.keep(this);
    this.#budget.add(this, -this.#own);
    this.#own = 0;
  }
}
