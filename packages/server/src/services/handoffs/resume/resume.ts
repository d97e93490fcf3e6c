/**
 * Goes on with work: the newest thing for the caller in its project, or what it names.
 *
 * R1. Without `accept` nothing changes: the caller sees the brief and decides.
 * R2. An offer is accepted, what was left is picked up, an own session becomes the one that the window is at. Each is a
 *     move that exists without `resume`, under the same rules.
 * R3. What nobody handed over is claimed only on purpose: what the end of a conversation left with `take` or by its key, the
 *     work of a silent owner with `take`. With `take` these come first.
 * R4. A request that is said again claims nothing more.
 * R5. What is gone on with when nothing is named stands in choice.ts.
 * R6. Work of another that the caller may write to, or read, is shown by its key, too; neither moves it.
 */
import {
  ANYONE,
  authorsUpTo,
  liveInstruction,
  named,
  ParkedBy,
  RejectionCode,
  RequestType,
  readableUpTo,
  rejectWith,
  type WorklogState,
  WorklogStatus,
} from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import { BoundedCache } from '../../bounded-cache.js';
import type { Connection } from '../../connection.js';
import type { Outcome, Refused } from '../../outcome.js';
import type { CurrentSessions } from '../current-session.js';
import type { HandoffDependencies } from '../dependencies.js';
import type { PackageReads } from '../get-package.js';
import type { LongReads } from '../long-reads.js';
import { noteText } from '../notes.js';
import { isOpenTo, reachesOthers } from '../open-parking.js';
import { isShared } from '../shared-work.js';
import { notReadableYet } from '../take/not-readable-yet.js';
import type { HandoffService, HandoffView } from '../types.js';
import { type FoundWorklog, sessionNotFound, worklogRef } from '../worklogs.js';
import { cameBy } from './came-by.js';
import { candidatesOf, isUnasked, sharedCandidate } from './candidates.js';
import { chosenOf, type Found, othersThan, presentWork } from './choice.js';
import { claimedBefore } from './claimed-before.js';
import { lastGit } from './last-git.js';
import { sessionBrief } from './session-brief.js';
import { leftWork, outlivedOffer } from './sessions-for.js';
import { MOST_LISTED, showHandoff } from './shown-handoff.js';
import { standingOf } from './standing.js';
import type { BriefSource, Candidate, Present, ResumeArgs, Resumed, Shown, ShownNote } from './types.js';
import { waitForWork } from './wait-for-work.js';
import { withTitles } from './with-titles.js';

type Moves = Pick<
  HandoffService,
  'acceptHandoff' | 'getHandoff' | 'pickUp' | 'take' | 'park' | 'reopenSession' | 'returnedOffers'
>;

/** One caller's request. */
interface Asking {
  readonly principal: Principal;
  readonly args: ResumeArgs;
  readonly connection: Connection;
}

const KEPT = { items: 10_000, weight: 4 * 1024 * 1024 };
const NOTHING = { attachments: [], attachmentsTotal: 0 } as const;

export class Resumes {
  readonly #deps: HandoffDependencies;
  readonly #current: CurrentSessions;
  readonly #reads: PackageReads;
  readonly #long: LongReads;
  readonly #moves: Moves;
  /**
   * What was received to read and has been gone on with. Of what `resume` accepted the log says it, too; what was accepted
   * in another way may be shown once more by a new process of the server.
   */
  readonly #seen = new BoundedCache<true>(KEPT);
  /** The own session that a request went on with: the log does not say it. */
  readonly #own = new BoundedCache<string>(KEPT);

  constructor(
    deps: HandoffDependencies,
    {
      current,
      packages,
      long,
    }: { readonly current: CurrentSessions; readonly packages: PackageReads; readonly long: LongReads },
    moves: Moves,
  ) {
    this.#deps = deps;
    this.#current = current;
    this.#reads = packages;
    this.#long = long;
    this.#moves = moves;
  }

  async resume(principal: Principal, args: ResumeArgs, connection: Connection): Promise<Outcome<Resumed>> {
    const asking = { principal, args, connection };
    const named = args.handoffId !== undefined || args.sessionKey !== undefined;
    const wait = named ? undefined : args.wait;
    const from = wait && (await this.#deps.engine.position());
    const before = named ? undefined : await this.#before(asking);
    let found = await this.#long.run(principal, () => this.#look(asking));
    let chosen = before ?? (named ? await this.#named(asking, found.here) : chosenOf(found, args));
    if (!chosen && wait && from !== undefined) {
      const waited = await waitForWork(this.#deps, principal, from, wait, async () => {
        found = await this.#long.run(principal, () => this.#look(asking));
        return chosenOf(found, args);
      });
      if ('rejection' in waited) return waited;
      chosen = waited.value;
    }
    const others = await withTitles(this.#deps, principal, othersThan(chosen, found));
    const rest = { others, elsewhere: found.elsewhere };
    if (!chosen) {
      const { sessionKey: key } = args;
      if (key !== undefined) {
        const known = await notReadableYet(this.#deps, principal, connection, key);
        return { rejection: known ?? sessionNotFound(key) };
      }
      // Work can be taken only in the project of the connection.
      const soon = args.project === undefined ? found.soon : undefined;
      return { value: { kind: 'nothing', yours: false, ...NOTHING, ...rest, ...(soon && { soon }) } };
    }
    const outcome = await this.#goOn(asking, chosen, named);
    if ('rejection' in outcome) return outcome;
    const standing = await standingOf(this.#deps, this.#current, principal, connection, outcome.value);
    const { brief } = outcome.value;
    const inTurn = brief && { brief: this.#inTurn(principal, brief) };
    const value = { ...outcome.value, ...inTurn, ...(standing && { standing }), ...rest };
    return before || outcome.replayed === true ? { value, replayed: true } : { value };
  }

  /** Written once its room is known. */
  #inTurn(principal: Principal, brief: BriefSource): BriefSource {
    return { ...brief, write: (budget) => this.#long.run(principal, () => brief.write(budget)) };
  }

  async #look({ principal, args, connection }: Asking): Promise<Found> {
    const at = await this.#current.find(principal, connection);
    const project = args.project ?? connection.project?.id;
    const presence = at && (await this.#present(principal, connection, at));
    const found = await candidatesOf(this.#deps, {
      principal,
      connection,
      project,
      present: presence,
      isSeen: (handoffId) => this.#seen.get(seenKey(principal, handoffId)) !== undefined,
      unasked: args.take || args.sessionKey !== undefined,
    });
    const present = at && presence && presentWork(at.state, principal, project, presence);
    return { ...found, ...(present && { present }) };
  }

  async #present(principal: Principal, connection: Connection, at: FoundWorklog): Promise<Present> {
    const sessionKey = at.ref.id;
    const { at: lastAt, isOffered = false } = this.#current.lastDeed(principal, connection, at);
    const returned = await this.#moves.returnedOffers(principal, { sessionKey });
    const times = returned
      .filter(({ stillLeft }) => !stillLeft)
      .map(({ answeredAt, expiresAt }) => answeredAt ?? expiresAt)
      // What was withdrawn before its time ended by a word of its owner, and is no news.
      .filter((time) => time > lastAt && time <= this.#deps.now());
    return { sessionKey, lastAt, isOffered, ...(times.length > 0 && { returnedAt: Math.max(...times) }) };
  }

  /** What the same request claimed when it was said before. */
  async #before({ principal, args }: Asking): Promise<Candidate | undefined> {
    const { requestKey, accept, take } = args;
    if (requestKey === undefined || !(accept || take)) return undefined;
    const about = { by: '', at: 0 };
    const own = this.#own.get(seenKey(principal, requestKey));
    if (own !== undefined) return { kind: 'own', sessionKey: own, ...about };
    const claimed = await claimedBefore(this.#deps, principal, requestKey);
    return claimed && { ...claimed, ...about };
  }

  /** An offer by its id; a session by its key, in whatever way the caller may have it. */
  async #named(
    { principal, args, connection }: Asking,
    here: readonly Candidate[],
  ): Promise<Candidate | undefined> {
    const { handoffId, sessionKey = '', take } = args;
    if (handoffId !== undefined)
      return (
        (await outlivedOffer(this.#deps, principal, handoffId, connection)) ?? {
          ...{ kind: 'offer', sessionKey: '', handoffId, by: '', at: 0 },
        }
      );
    const listed = here.filter(
      (one) =>
        (one.sessionKey === sessionKey || one.notes?.some((note) => note.sessionKey === sessionKey)) &&
        !(take && one.kind === 'shared'),
    );
    const one = (take ? listed.find(isUnasked) : undefined) ?? listed[0];
    if (one) return one;
    const state = (await this.#deps.engine.query(worklogRef(principal.tenant, sessionKey)))?.state;
    const there = state?.status === WorklogStatus.Purged ? undefined : state;
    const about = { sessionKey, by: there?.owner ?? '', at: there?.lastActivityAt ?? 0 };
    if (there?.owner === principal.agent) return { kind: 'own', ...about };
    const left = there && leftWork(this.#deps, there, principal, connection);
    if (there && !left && !take && readableUpTo(there, principal.agent) !== undefined)
      return this.#readable(principal, there);
    // Whether it may be taken, and from when on, is the answer to asking for it. A key that nobody has goes the same way:
    // where the policy refuses, the answer does not tell whether there is such a session.
    return left ?? (take ? { kind: 'silent', ...about } : undefined);
  }

  async #readable(principal: Principal, state: WorklogState): Promise<Candidate | undefined> {
    if (isShared(state, principal.agent)) return sharedCandidate(state);
    const { key: sessionKey, owner: by, lastActivityAt: at } = state;
    const handoffId = await cameBy(this.#deps, principal, state);
    return handoffId === undefined ? undefined : { kind: 'received', sessionKey, handoffId, by, at };
  }

  async #goOn(asking: Asking, chosen: Candidate, named: boolean): Promise<Outcome<Shown>> {
    const { principal, args, connection } = asking;
    if (!claims(args, chosen, named)) return this.#show(asking, chosen);
    // Whoever may not have the work of a silent owner learns nothing of it, not even its size.
    if (args.admit && chosen.kind !== 'silent') {
      const seen = await this.#show(asking, chosen);
      if ('rejection' in seen) return seen;
      const refused = await args.admit(seen.value);
      if (refused) return { rejection: refused };
    }
    const outcome = await this.#claim(asking, chosen);
    if ('rejection' in outcome) return this.#quicker(principal, chosen, outcome);
    const { sessionKey, yours } = outcome.value;
    if ((yours || chosen.kind === 'shared') && sessionKey !== undefined)
      this.#current.note(principal, connection, sessionKey);
    return { ...outcome, value: { ...outcome.value, claimed: true } };
  }

  /** Only looks. */
  async #show(asking: Asking, chosen: Candidate): Promise<Outcome<Shown>> {
    const { principal } = asking;
    const { handoffId, kind } = chosen;
    if (kind === 'shared') return this.#shared(asking, chosen);
    if (handoffId === undefined) return this.#session(asking, chosen);
    const seen = await this.#moves.getHandoff(principal, handoffId);
    return 'rejection' in seen ? seen : this.#handoff(principal, seen, kind);
  }

  async #claim(asking: Asking, chosen: Candidate): Promise<Outcome<Shown>> {
    const { principal, args, connection } = asking;
    const { kind, sessionKey, handoffId } = chosen;
    const { reason, requestKey, permit } = args;
    const said = {
      ...(reason !== undefined && { reason }),
      ...(requestKey !== undefined && { idempotencyKey: requestKey }),
    };
    if (kind === 'shared') return this.#show(asking, chosen);
    if (kind === 'received' || handoffId !== undefined) {
      const id = handoffId ?? '';
      this.#seen.set(seenKey(principal, id), true, id.length + 128);
      const accepted =
        kind === 'offer'
          ? await this.#moves.acceptHandoff(principal, { handoffId: id, shown: true, ...said })
          : undefined;
      if (!accepted) return this.#show(asking, chosen);
      return 'rejection' in accepted ? accepted : this.#handoff(principal, accepted, kind);
    }
    if (kind === 'own') {
      const reopened = await this.#reopen(principal, sessionKey, connection);
      if ('rejection' in reopened) return reopened;
      if (requestKey !== undefined)
        this.#own.set(seenKey(principal, requestKey), sessionKey, sessionKey.length + 512);
      const added = await this.#takeNotes(principal, chosen);
      const shown = await this.#session(asking, chosen, added);
      if ('rejection' in shown || !reopened.value.tookBack) return shown;
      return { value: { ...shown.value, standing: { isAt: true, isLeft: false, tookBack: true } } };
    }
    const state = (await this.#deps.engine.query(worklogRef(principal.tenant, sessionKey)))?.state;
    const anyone = isOpenTo(connection, this.#deps.taking, state?.project);
    const got =
      kind === 'silent'
        ? await this.#moves.take(principal, { sessionKey, ...said, ...(permit && { permit }) }, connection)
        : await this.#moves.pickUp(principal, { sessionKey, anyone, ...said });
    return 'rejection' in got ? got : this.#handoff(principal, got, kind);
  }

  /** As it stands now, with what was sent when it was shared. */
  async #shared(asking: Asking, chosen: Candidate): Promise<Outcome<Shown>> {
    const { principal } = asking;
    const session = await this.#session(asking, chosen);
    if ('rejection' in session) return session;
    const { sessionKey } = chosen;
    const state = (await this.#deps.engine.query(worklogRef(principal.tenant, sessionKey)))?.state;
    const handoffId = state && (await cameBy(this.#deps, principal, state));
    if (handoffId === undefined) return session;
    const seen = await this.#moves.getHandoff(principal, handoffId);
    if ('rejection' in seen) return session;
    const sent = await this.#handoff(principal, seen, 'shared');
    if ('rejection' in sent) return session;
    const { requestType, attachments, attachmentsTotal, project } = sent.value;
    return {
      value: {
        ...session.value,
        ...{ handoffId, attachments, attachmentsTotal },
        ...(requestType !== undefined && { requestType }),
        ...(project && { project }),
      },
    };
  }

  /** Those that are its work's from now on. One that is gone meanwhile, or has no room, stops nobody. */
  async #takeNotes(principal: Principal, { notes = [] }: Candidate): Promise<ReadonlySet<Candidate>> {
    const added = new Set<Candidate>();
    for (const note of notes) {
      const { handoffId, sessionKey } = note;
      const got =
        handoffId === undefined
          ? await this.#moves.pickUp(principal, { sessionKey, anyone: false })
          : await this.#moves.acceptHandoff(principal, { handoffId, shown: true });
      if ('value' in got) added.add(note);
    }
    return added;
  }

  async #handoff(
    principal: Principal,
    { value: view, replayed }: { readonly value: HandoffView; readonly replayed?: boolean },
    kind: Candidate['kind'],
  ): Promise<Outcome<Shown>> {
    const shown = await this.#long.run(principal, () =>
      showHandoff(this.#deps, this.#reads, principal, view),
    );
    if ('rejection' in shown) return shown;
    const value = { ...shown.value, kind };
    return replayed === true ? { value, replayed } : { value };
  }

  async #session(
    { principal, connection }: Asking,
    { kind, sessionKey, at, notes = [] }: Candidate,
    added: ReadonlySet<Candidate> = new Set(),
  ): Promise<Outcome<Shown>> {
    const ref = worklogRef(principal.tenant, sessionKey);
    const state = (await this.#deps.engine.query(ref))?.state;
    if (!state) return { rejection: sessionNotFound(sessionKey) };
    const { owner, status, lastNumber: upTo, taken } = state;
    const isParked = kind === 'parked' || kind === 'left';
    const isCopy = isParked && state.parked?.requestType === RequestType.ContextTransfer;
    const sent = isCopy
      ? NOTHING
      : await this.#reads.sentBefore.list(principal, state, { most: MOST_LISTED });
    const git = await lastGit(this.#deps, ref, state, upTo);
    const { at: lastAt } = this.#current.lastDeed(principal, connection, { ref, state, upTo });
    const isNew = kind === 'own' && taken?.at === state.ownerActiveAt && taken.at > lastAt;
    const until = isParked ? liveInstruction(state, this.#deps.now())?.until : undefined;
    const shownNotes = await this.#notes(principal, notes, added);
    const returned = kind === 'own' ? await this.#moves.returnedOffers(principal, { sessionKey }) : [];
    return {
      value: {
        kind,
        yours: owner === principal.agent,
        sessionKey,
        from: owner,
        owner,
        authors: [...authorsUpTo(state, upTo), ...notes.map(({ by }) => by)],
        phase: isParked ? 'parked' : status === WorklogStatus.Active ? 'active' : 'completed',
        brief: sessionBrief(this.#deps, ref, owner, upTo),
        ...sent,
        ...(git && { git }),
        ...(until !== undefined && { expiresAt: until }),
        ...(kind === 'silent' && { silentSince: at }),
        ...(isNew && taken && { takenFrom: taken.from, silentSince: taken.silentSince }),
        ...(returned.length > 0 && { returned }),
        ...(shownNotes.length > 0 && { notes: shownNotes }),
      },
    };
  }

  async #notes(
    { tenant }: Principal,
    notes: readonly Candidate[],
    added: ReadonlySet<Candidate>,
  ): Promise<readonly ShownNote[]> {
    const shown: ShownNote[] = [];
    for (const note of notes) {
      const { handoffId, sessionKey, by: from } = note;
      const state = (await this.#deps.engine.query(worklogRef(tenant, sessionKey)))?.state;
      const text = state ? await noteText(this.#deps, tenant, state) : '';
      shown.push({ from, ...(handoffId !== undefined && { handoffId }), text, isAdded: added.has(note) });
    }
    return shown;
  }

  /** What was there to be seen may be another's by the time it is claimed; that one is named. */
  async #quicker(
    { tenant, agent }: Principal,
    { kind, sessionKey, by }: Candidate,
    refused: Refused,
  ): Promise<Refused> {
    if (kind !== 'parked' && kind !== 'left' && kind !== 'silent') return refused;
    const owner = (await this.#deps.engine.query(worklogRef(tenant, sessionKey)))?.state.owner;
    if (owner === undefined || owner === by || owner === agent) return refused;
    const details = { sessionKey, owner };
    return {
      rejection: rejectWith(RejectionCode.CONFLICT, `${named(owner)} was quicker and has it now`, details),
    };
  }

  /** The owner goes on: what it closed is open again, and what it left for anyone is its own again. */
  async #reopen(
    principal: Principal,
    sessionKey: string,
    connection: Connection,
  ): Promise<Outcome<{ readonly tookBack: boolean }>> {
    const ref = worklogRef(principal.tenant, sessionKey);
    const state = (await this.#deps.engine.query(ref))?.state;
    if (state && state.status !== WorklogStatus.Active) {
      const opened = await this.#moves.reopenSession(principal, sessionKey);
      return 'rejection' in opened ? opened : { value: { tookBack: false } };
    }
    const left = state && liveInstruction(state, this.#deps.now());
    if (left?.takers[0] !== ANYONE) return { value: { tookBack: false } };
    const kept = await this.#moves.park(principal, {
      sessionKey,
      takers: [],
      requestType: RequestType.FullHandoff,
      until: left.until,
      by: ParkedBy.Owner,
    });
    if ('rejection' in kept) return kept;
    // What a hook left, its owner need not know to have been left.
    return {
      value: { tookBack: left.by === ParkedBy.Owner && reachesOthers(connection, this.#deps.taking) },
    };
  }
}

function claims({ accept, take }: ResumeArgs, { kind }: Candidate, named: boolean): boolean {
  if (kind === 'silent') return take;
  return kind === 'left' ? take || (accept && named) : accept || take;
}

const seenKey = ({ tenant, agent }: Principal, what: string): string => JSON.stringify([tenant, agent, what]);
