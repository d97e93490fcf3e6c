/**
 * Reads that go through a log, or through all that a caller has, and hold what they have read. Each alone is short, or takes turns of
 * the loop; a hundred side by side would take a slice in every turn and the memory of them all.
 *
 * R1. So many are under way, of one caller and in all. Who waits holds its request only.
 * R2. Callers take turns: the hundredth read of one delays another's first by one.
 */
import type { Principal } from '../../auth/principal.js';
import { fixedLimits } from '../../config/fixed-limits.js';
import { type AnswerPlace, AnswerRoom } from '../answer-room.js';
import type { HandoffService } from './types.js';

const OF_CALLER = fixedLimits.longReadsOfCaller.value;

export class LongReads {
  readonly #room = new AnswerRoom(fixedLimits.longReads.value);

  /** Under way now. */
  get count(): number {
    return this.#room.held;
  }

  async run<T>({ tenant, agent }: Pick<Principal, 'tenant' | 'agent'>, read: () => Promise<T>): Promise<T> {
    const place = await this.#placeFor(JSON.stringify([tenant, agent]));
    try {
      return await read();
    } finally {
      place.leave();
    }
  }

  /** Whoever had to wait begins in a turn of its own: what is read from memory would let nothing of others come between. */
  #placeFor(caller: string): Promise<AnswerPlace> {
    return new Promise((resolve) => {
      let waits = false;
      const begin = () => (waits ? setImmediate(resolve, place) : resolve(place));
      const place = this.#room.open(caller, OF_CALLER, 1, begin);
      place.enter();
      waits = true;
    });
  }
}

/**
 * The service with its long reads in turns. What one of these calls of another is part of it, so nothing waits for a place while it
 * holds one. `resume` takes its places itself: it may wait long for what comes, or for a user's word.
 */
export function withLongReads(service: HandoffService, reads: LongReads): HandoffService {
  return {
    ...service,
    listHandoffs: (principal, args) => reads.run(principal, () => service.listHandoffs(principal, args)),
    listSessions: (principal, args) => reads.run(principal, () => service.listSessions(principal, args)),
    newestSessions: (principal, args, connection) =>
      reads.run(principal, () => service.newestSessions(principal, args, connection)),
    leftSessions: (principal, args, connection) =>
      reads.run(principal, () => service.leftSessions(principal, args, connection)),
    returnedOffers: (principal, wanted) =>
      reads.run(principal, () => service.returnedOffers(principal, wanted)),
    countActiveSessions: (principal) => reads.run(principal, () => service.countActiveSessions(principal)),
    searchContext: (principal, args) => reads.run(principal, () => service.searchContext(principal, args)),
    readContext: (principal, args) => reads.run(principal, () => service.readContext(principal, args)),
    readEntries: (principal, args, connection) =>
      reads.run(principal, () => service.readEntries(principal, args, connection)),
    summarize: (principal, sessionKey) =>
      reads.run(principal, () => service.summarize(principal, sessionKey)),
    getPackage: (principal, args) => reads.run(principal, () => service.getPackage(principal, args)),
    readAttachment: (principal, args) => reads.run(principal, () => service.readAttachment(principal, args)),
    getReceipt: (principal, handoffId) =>
      reads.run(principal, () => service.getReceipt(principal, handoffId)),
    hookText: (principal, request, connection) =>
      reads.run(principal, () => service.hookText(principal, request, connection)),
    requestHandoff: (principal, args) => reads.run(principal, () => service.requestHandoff(principal, args)),
    handOff: (principal, args, connection) =>
      reads.run(principal, () => service.handOff(principal, args, connection)),
    pickUp: (principal, args) => reads.run(principal, () => service.pickUp(principal, args)),
  };
}
