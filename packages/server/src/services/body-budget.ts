/**
 * How many bytes of bodies the door holds at once: in all, of one caller, and of all strangers together, so that
 * neither can take the room of the others. What does not fit is refused before it is read.
 */
export interface BudgetLimits {
  readonly inAll: number;
  readonly ofCaller: number;
  readonly ofStrangers: number;
}

/** What one request holds. */
export interface BodyShare {
  /** False: there is no room. Nothing is taken then. */
  take(bytes: number): boolean;
  release(): void;
}

const STRANGERS = '';

export class BodyBudget {
  readonly #limits: BudgetLimits;
  readonly #held = new Map<string, number>();
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

  /** Without a caller it is a stranger's. */
  open(caller: string = STRANGERS): BodyShare {
    let own = 0;
    return {
      take: (bytes) => {
        if (!this.#fits(caller, bytes)) return false;
        own += bytes;
        this.#add(caller, bytes);
        return true;
      },
      release: () => {
        this.#add(caller, -own);
        own = 0;
      },
    };
  }

  #fits(caller: string, bytes: number): boolean {
    const { inAll, ofCaller, ofStrangers } = this.#limits;
    const most = caller === STRANGERS ? ofStrangers : ofCaller;
    return this.#inAll + bytes <= inAll && (this.#held.get(caller) ?? 0) + bytes <= most;
  }

  #add(caller: string, bytes: number): void {
    const held = (this.#held.get(caller) ?? 0) + bytes;
    if (held === 0) this.#held.delete(caller);
    else this.#held.set(caller, held);
    this.#inAll += bytes;
    this.#most = Math.max(this.#most, this.#inAll);
  }
}
