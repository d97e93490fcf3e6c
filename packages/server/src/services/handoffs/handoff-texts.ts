/**
 * The texts of a handoff, which its state does not keep: scope, reasons, and the package's digest. They are in the
 * payloads of the offer, of its answer and of the first context. Each is written once, so what was read stays valid.
 */
import {
  type Codec,
  type Entry,
  HandoffMessageType,
  handoffPayloads,
  noteAbout,
  PACKAGE_CONTENT_TYPE,
  RequestType,
  readPackage,
} from '@handover/core';
import type { Engine } from '@handover/engine';
import type { TakingSettings } from '../../config/read-taking.js';
import { BoundedCache } from '../bounded-cache.js';
import type { ProjectTag } from '../project.js';
import type { EntrySource } from './context-entries.js';
import type { FoundHandoff } from './find-handoff.js';
import { leftBeside } from './left-beside.js';
import { titleOf } from './shown/title.js';
import { storedPayload } from './stored-payload.js';
import { worklogRef } from './worklogs.js';

export interface HandoffTexts {
  readonly scope: string;
  readonly reason: string;
  readonly packageDigest?: string;
  readonly answerReason?: string;
}

interface Places {
  offer?: number;
  context?: number;
  answer?: number;
}

export interface HandoffPresent {
  /** Who has the working session now. */
  readonly owner?: string;
  /** Until when the target may have the work, also after the offer is over. */
  readonly leftUntil?: number;
  /** Until when its owner said that the target could have it, also when that is over. */
  readonly saidUntil?: number;
  /** Once its owner is silent, agents may take it over. */
  readonly mayBeTaken?: true;
  /** It is a note on this working session. */
  readonly about?: string;
  readonly project?: ProjectTag;
  /** What it is about, while it waits: as its package has it. */
  readonly title?: string;
}

export interface TextSource extends EntrySource {
  readonly engine: Pick<Engine, 'query'>;
  readonly now: () => number;
  readonly taking?: Pick<TakingSettings, 'takeOver'>;
}

const KEPT = { items: 2_000, weight: 8 * 1024 * 1024 };
/** What texts weigh beside their characters. */
const TEXTS_BYTES = 512;
const HEADS_PAGE = 500;

export class HandoffTextReader {
  readonly #deps: TextSource;
  readonly #kept = new BoundedCache<HandoffTexts>(KEPT);

  constructor(deps: TextSource) {
    this.#deps = deps;
  }

  async read(found: FoundHandoff): Promise<HandoffTexts> {
    const { ref, offer } = found;
    const key = JSON.stringify([ref.tenant, ref.id, offer.handoffId, offer.answeredAt !== undefined]);
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const texts = await this.#fromLog(found);
    const { scope, reason, answerReason = '' } = texts;
    this.#kept.set(key, texts, TEXTS_BYTES + scope.length + reason.length + answerReason.length);
    return texts;
  }

  /** What it depends on beside its own session. That may have moved on, so it is asked each time. */
  async present(found: FoundHandoff): Promise<HandoffPresent> {
    const { engine, now, taking } = this.#deps;
    const { ref, session, offer } = found;
    const key = session.binding?.worklog;
    const state = key === undefined ? undefined : (await engine.query(worklogRef(ref.tenant, key)))?.state;
    if (!state) return {};
    const left = leftBeside(state, found, now());
    const isWhole = session.binding?.requestType === RequestType.FullHandoff;
    const mayBeTaken = taking?.takeOver === 'silent' && isWhole && state.owner === offer.offeredBy;
    const about = noteAbout(state);
    const pending = state.pending.find(({ sessionId }) => sessionId === session.id);
    const title = pending && (await titleOf(this.#deps, ref.tenant, state, pending.upTo));
    const said = state.leftUntil.find(({ sessionId }) => sessionId === session.id);
    return {
      owner: state.owner,
      ...(state.project && { project: state.project }),
      ...(about !== undefined && { about }),
      ...(left && { leftUntil: left.until }),
      ...(said && { saidUntil: said.until }),
      ...(mayBeTaken && { mayBeTaken }),
      ...(title && { title: title.text }),
    };
  }

  async #fromLog(found: FoundHandoff): Promise<HandoffTexts> {
    const { codec } = this.#deps;
    const places = await this.#places(found);
    const said = { scope: '', reason: '' };
    const offer = await this.#entry(found, places.offer);
    const { scope, reason } = (offer && codec.decode(handoffPayloads.HandoffOffer, offer.payload)) ?? said;
    const context = await this.#entry(found, places.context);
    const packageDigest = context && digestIn(context, codec);
    const answer = await this.#entry(found, places.answer);
    const answerReason = answer && reasonOf(answer, codec);
    return {
      scope,
      reason,
      ...(packageDigest !== undefined && { packageDigest }),
      ...(answerReason !== undefined && answerReason !== '' && { answerReason }),
    };
  }

  /** Which entries of the session hold the texts. Reads heads only, so that it does not load large contexts. */
  async #places({ ref, session, offer }: FoundHandoff): Promise<Places> {
    const places: Places = {};
    const complete = (): boolean =>
      places.offer !== undefined &&
      (offer.answeredAt === undefined || places.answer !== undefined) &&
      (!session.binding || places.context !== undefined);
    for (let seq = 0; !complete(); ) {
      const heads = await this.#deps.store.load(ref, seq, HEADS_PAGE);
      for (const { type, facts, seq: at } of heads) {
        if (facts.handoff_id !== offer.handoffId) continue;
        if (type === HandoffMessageType.Offer) places.offer = at;
        else if (type !== HandoffMessageType.Context) places.answer = at;
        else if (session.binding) places.context ??= at;
      }
      const last = heads.at(-1);
      if (!last) break;
      seq = last.seq;
    }
    return places;
  }

  async #entry({ ref }: FoundHandoff, seq: number | undefined): Promise<Entry | undefined> {
    if (seq === undefined) return undefined;
    const [entry] = await this.#deps.store.read(ref, seq - 1, { entries: 1, bytes: 0 });
    return entry && { ...entry, payload: storedPayload(entry, this.#deps.codec) };
  }
}

function digestIn({ payload }: Entry, codec: Codec): string | undefined {
  const context = codec.decode(handoffPayloads.HandoffContext, payload);
  if (context?.contentType !== PACKAGE_CONTENT_TYPE) return undefined;
  return readPackage(context.context, codec)?.digest;
}

function reasonOf({ type, payload }: Entry, codec: Codec): string | undefined {
  if (type === HandoffMessageType.Accept) return codec.decode(handoffPayloads.HandoffAccept, payload)?.reason;
  return codec.decode(handoffPayloads.HandoffDecline, payload)?.reason;
}
