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
  /** For room in its own share. */
  readonly waiting: Set<Place>;
}

type State = 'new' | 'admitted' | 'begun' | 'left';

/** How a place reaches the room that it is in. */
interface Room {
  enter(place: Place): void;
  resize(place: Place, bytes: number): void;
  left(place: Place, was: State): void;
}

export class AnswerRoom {
  readonly #limit: number;
  readonly #callers = new Map<string, Caller>();
  /** Those with room in their caller's share, which they hold already. */
  readonly #admitted = new Turns<Place>();
  readonly #room: Room = {
    enter: (place) => this.#enter(place),
    resize: (place, bytes) => this.#resize(place, bytes),
    left: (place, was) => this.#left(place, was),
  };
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
    let caller = this.#callers.get(key);
    if (!caller) {
      caller = { key, limit, held: 0, waiting: new Set() };
      this.#callers.set(key, caller);
    }
    return new Place(this.#room, caller, bytes, begin);
  }

  #enter(place: Place): void {
    const { caller } = place;
    const free = caller.waiting.size === 0 && this.#admitted.size === 0 && this.#held < this.#limit;
    if (free && fits(place)) {
      caller.held += place.bytes;
      this.#begin(place);
    } else {
      caller.waiting.add(place);
      this.#madeRoom(caller);
    }
  }

  #admit(caller: Caller): void {
    for (const place of caller.waiting) {
      if (!fits(place)) break;
      caller.waiting.delete(place);
      caller.held += place.bytes;
      place.state = 'admitted';
      this.#admitted.add(caller.key, place);
    }
  }

  #letIn(): void {
    while (this.#admitted.size > 0 && this.#held < this.#limit) {
      const place = this.#admitted.take();
      if (place) this.#begin(place);
    }
  }

  #begin(place: Place): void {
    place.state = 'begun';
    this.#add(place.bytes);
    place.begin();
  }

  #resize(place: Place, bytes: number): void {
    const more = bytes - place.bytes;
    place.bytes = bytes;
    place.caller.held += more;
    this.#add(more);
    if (more < 0) this.#madeRoom(place.caller);
  }

  #left(place: Place, was: State): void {
    const { caller, bytes } = place;
    if (was === 'new') caller.waiting.delete(place);
    else caller.held -= bytes;
    if (was === 'admitted') this.#admitted.delete(caller.key, place);
    if (was === 'begun') this.#add(-bytes);
    this.#madeRoom(caller);
    if (caller.held === 0 && caller.waiting.size === 0) this.#callers.delete(caller.key);
  }

  #madeRoom(caller: Caller): void {
    if (caller.waiting.size > 0) this.#admit(caller);
    this.#letIn();
  }

  #add(bytes: number): void {
    this.#held += bytes;
    this.#most = Math.max(this.#most, this.#held);
  }
}

class Place implements AnswerPlace {
  readonly caller: Caller;
  bytes: number;
  readonly begin: () => void;
  state: State = 'new';
  readonly #room: Room;

  constructor(room: Room, caller: Caller, bytes: number, begin: () => void) {
    this.#room = room;
    this.caller = caller;
    this.bytes = bytes;
    this.begin = begin;
  }

  enter(): void {
    this.#room.enter(this);
  }

  answered(bytes: number): void {
    if (this.state === 'begun') this.#room.resize(this, bytes);
  }

  leave(): void {
    const was = this.state;
    this.state = 'left';
    if (was !== 'left') this.#room.left(this, was);
  }
}

function fits({ caller, bytes }: Place): boolean {
  return caller.held === 0 || caller.held + bytes <= caller.limit;
}
