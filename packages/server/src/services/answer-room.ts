/**
 * Room for the answers of calls: those that are being made, and those that clients have not taken.
 *
 * R1. A call begins when there is room for the answer that is expected of it, in the share of its caller and in all. Until
 *     then it waits, and holds its request only.
 * R2. A caller for whom nothing is held may always begin one, however large. The one that is let in may pass the limit in all.
 * R3. Those who wait for room in all take turns by caller.
 */
import { Turns } from '../platform/turns.js';

/** The place of one call. */
export interface AnswerPlace {
  /** Asks for room. The call begins at once or when there is some. */
  enter(): void;
  /** The answer has so many bytes. They are held instead of what was expected. */
  answered(bytes: number): void;
  /** The client has the answer, or the call is gone. */
  leave(): void;
}

interface Caller {
  readonly key: string;
  readonly limit: number;
  held: number;
  readonly waiting: Set<Place>;
}

interface Place {
  readonly caller: Caller;
  bytes: number;
  state: 'new' | 'admitted' | 'begun' | 'left';
  readonly begin: () => void;
}

export class AnswerRoom {
  readonly #limit: number;
  readonly #callers = new Map<string, Caller>();
  /** Those with room in their caller's share, which they hold already. */
  readonly #admitted = new Turns<Place>();
  #held = 0;
  #most = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Bytes that are expected or held now. */
  get held(): number {
    return this.#held;
  }

  /** The most that ever was. */
  get most(): number {
    return this.#most;
  }

  /** Somebody has to wait for others. */
  get crowded(): boolean {
    return this.#admitted.size > 0;
  }

  /** `bytes`: what the answer is expected to have. */
  open(key: string, limit: number, bytes: number, begin: () => void): AnswerPlace {
    const caller = this.#callers.get(key) ?? this.#newCaller(key, limit);
    const place: Place = { caller, bytes, state: 'new', begin };
    caller.waiting.add(place);
    return {
      enter: () => this.#admit(caller),
      answered: (actual) => {
        if (place.state === 'begun') this.#resize(place, actual);
      },
      leave: () => this.#leave(place),
    };
  }

  #newCaller(key: string, limit: number): Caller {
    const caller = { key, limit, held: 0, waiting: new Set<Place>() };
    this.#callers.set(key, caller);
    return caller;
  }

  #admit(caller: Caller): void {
    for (const place of caller.waiting) {
      if (caller.held > 0 && caller.held + place.bytes > caller.limit) break;
      caller.waiting.delete(place);
      caller.held += place.bytes;
      place.state = 'admitted';
      this.#admitted.add(caller.key, place);
    }
    this.#letIn();
  }

  #letIn(): void {
    while (this.#held < this.#limit) {
      const place = this.#admitted.take();
      if (!place) return;
      place.state = 'begun';
      this.#add(place.bytes);
      place.begin();
    }
  }

  #resize(place: Place, bytes: number): void {
    const more = bytes - place.bytes;
    place.bytes = bytes;
    place.caller.held += more;
    this.#add(more);
    if (more < 0) this.#admit(place.caller);
  }

  #leave(place: Place): void {
    const { caller, state, bytes } = place;
    if (state === 'left') return;
    place.state = 'left';
    if (state === 'new') caller.waiting.delete(place);
    else caller.held -= bytes;
    if (state === 'admitted') this.#admitted.delete(caller.key, place);
    if (state === 'begun') this.#add(-bytes);
    this.#admit(caller);
    if (caller.held === 0 && caller.waiting.size === 0) this.#callers.delete(caller.key);
  }

  #add(bytes: number): void {
    this.#held += bytes;
    this.#most = Math.max(this.#most, this.#held);
  }
}
