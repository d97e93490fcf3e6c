/**
 * Which working sessions are open, kept in memory, so that a look for work costs what it finds and not what there is.
 *
 * B1. A tenant's rows are read at its first look. From then on the engine tells what it stores, before it answers: whoever
 *     was answered finds its own write. Another writer of the same log would not be heard here.
 * B2. It decides nothing: it says which sessions to read, newest first, and their states come from the engine.
 * B3. Its size is bounded. Of more, those without an entry for the longest time are not on it until they get one.
 * B4. Looks that come in bursts go on in slices, and a long read pauses: no turn of the loop belongs to one of them.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StreamKind, type StreamRef, WorklogStatus } from '@handover/core';
import type { Engine, ListedStream, Store, StreamAppend } from '@handover/engine';
import { fixedLimits } from '../../../config/fixed-limits.js';
import { Slices } from '../../../platform/slices.js';
import { listedRows } from '../../listed-rows.js';
import { worklogRef } from '../worklogs.js';
import {
  isOpenRow,
  isUnread,
  type OpenWork,
  openWork,
  openWorkAfter,
  readWork,
  workIn,
} from './open-work.js';
import { Shelf } from './shelf.js';

export interface BoardSource {
  /** Without `watch` nothing is stored while the board is used. */
  readonly engine: Pick<Engine, 'list' | 'query'> & Partial<Pick<Engine, 'watch'>>;
  readonly store: Pick<Store, 'heads'>;
}

interface Tenant {
  readonly shelf: Shelf;
  /** Told while the rows are read: what is told is newer than the rows. */
  readonly told: Set<string>;
  /** Written, and not on the shelf: they may be open. With the write that was told last. */
  readonly unknown: Map<string, StreamAppend>;
  isLoading: boolean;
  finding?: Promise<void> | undefined;
}

const MOST = fixedLimits.boardSessions.value;
const AT_ONCE = 250;
/** Looks that go on in one turn. */
const LOOKS = 4;
const READ_AT_ONCE = 100;
const MOST_UNKNOWN = 10_000;
/** Of the bound, when it is passed: the next ones have room. */
const KEPT = 0.9;

export class SessionBoard {
  readonly #source: BoardSource;
  readonly #most: number;
  /** The one that was looked at last is the last. */
  readonly #tenants = new Map<string, { readonly tenant: Tenant; readonly loaded: Promise<void> }>();
  readonly #looks = new Slices(LOOKS);
  /** What is read for looks of a shelf. */
  readonly #learning = new WeakMap<Shelf, Promise<void>>();

  constructor(source: BoardSource, most: number = MOST) {
    this.#source = source;
    this.#most = most;
    source.engine.watch?.((appends) => this.#told(appends));
  }

  /** Waits until one more look may go on: before it asks the store, and where many wait for the same answer. */
  turn(tenant: string, agent: string): Promise<void> {
    const owner = () => JSON.stringify([tenant, agent]);
    return new Promise((resolve) => this.#looks.begin(owner, 1, resolve));
  }

  /** The tenant's open sessions, for one look. */
  async of(tenant: string, agent: string): Promise<Shelf> {
    const known = this.#tenants.get(tenant) ?? this.#open(tenant);
    this.#tenants.delete(tenant);
    this.#tenants.set(tenant, known);
    try {
      await known.loaded;
    } catch (thrown) {
      if (this.#tenants.get(tenant) === known) this.#tenants.delete(tenant);
      throw thrown;
    }
    await this.turn(tenant, agent);
    await this.#find(tenant, known.tenant);
    return known.tenant.shelf;
  }

  /** Reads how each was left, where that is not known, and what it holds. Of many looks at once, one reads for all. */
  async learn(shelf: Shelf, works: readonly OpenWork[]): Promise<void> {
    for (let rest = works; rest.length > 0; rest = rest.filter(({ ref }) => isUnread(shelf.get(ref.id)))) {
      const others = this.#learning.get(shelf);
      if (!others) return this.#learnAll(shelf, rest);
      await others.catch(() => {});
    }
  }

  async #learnAll(shelf: Shelf, works: readonly OpenWork[]): Promise<void> {
    const reading = this.#readAll(shelf, works);
    this.#learning.set(shelf, reading);
    await reading.finally(() => this.#learning.delete(shelf));
  }

  async #readAll(shelf: Shelf, works: readonly OpenWork[]): Promise<void> {
    let read = 0;
    for (const { ref } of works) {
      const state = (await this.#source.engine.query(ref))?.state;
      const work = shelf.get(ref.id);
      if (state && work) shelf.put(readWork(work, state));
      if (++read % READ_AT_ONCE === 0) await nextTurn();
    }
  }

  #open(tenant: string): { readonly tenant: Tenant; readonly loaded: Promise<void> } {
    const opened: Tenant = {
      shelf: new Shelf(),
      told: new Set<string>(),
      unknown: new Map(),
      isLoading: true,
    };
    return { tenant: opened, loaded: this.#load(tenant, opened) };
  }

  async #load(name: string, tenant: Tenant): Promise<void> {
    const { shelf, told } = tenant;
    let page: ListedStream<'worklog'>[] = [];
    const lay = async () => {
      const heads = await this.#source.store.heads(page.map(({ ref }) => ref));
      for (const [i, { ref, row }] of page.entries()) {
        const { at = 0, seq = 0 } = heads[i] ?? {};
        // The first entry registers it.
        if (!told.has(ref.id)) shelf.put(openWork(ref, row, at, seq === 1 ? { isEmpty: true } : {}));
      }
      page = [];
      this.#bound();
      await nextTurn();
    };
    for await (const listed of listedRows(this.#source.engine, { tenant: name, kind: StreamKind.Worklog })) {
      if (isOpenRow(listed.row)) page.push(listed);
      if (page.length === AT_ONCE) await lay();
    }
    if (page.length > 0) await lay();
    tenant.isLoading = false;
    told.clear();
  }

  /** Reads what was written without being on the shelf. Of many looks at once, one reads for all. */
  async #find(name: string, tenant: Tenant): Promise<void> {
    while (tenant.unknown.size > 0) {
      tenant.finding ??= this.#findAll(name, tenant).finally(() => {
        tenant.finding = undefined;
      });
      await tenant.finding;
    }
  }

  async #findAll(name: string, { shelf, unknown }: Tenant): Promise<void> {
    let read = 0;
    for (const [id, told] of [...unknown]) {
      const ref = worklogRef(name, id);
      const state = (await this.#source.engine.query(ref))?.state;
      if (++read % READ_AT_ONCE === 0) await nextTurn();
      // Written again meanwhile, it is read again.
      if (unknown.get(id) !== told) continue;
      unknown.delete(id);
      if (state?.status === WorklogStatus.Active) shelf.put(workIn(ref, state));
    }
    this.#bound();
  }

  #told(appends: readonly StreamAppend[]): void {
    for (const append of appends) {
      const { stream } = append;
      const known = stream.kind === StreamKind.Worklog ? this.#tenants.get(stream.tenant) : undefined;
      if (known) this.#note(known.tenant, worklogRef(stream.tenant, stream.id), append);
    }
    this.#bound();
  }

  #note({ shelf, told, unknown, isLoading }: Tenant, ref: StreamRef<'worklog'>, append: StreamAppend): void {
    const before = shelf.get(ref.id);
    if (isLoading) told.add(ref.id);
    if (!before && append.entries[0]?.seq !== 1) {
      unknown.set(ref.id, append);
      if (unknown.size > MOST_UNKNOWN) this.#tenants.delete(ref.tenant);
      return;
    }
    const work = openWorkAfter(ref, append, before);
    if (work) shelf.put(work);
    else shelf.drop(ref.id);
  }

  #bound(): void {
    let size = 0;
    for (const { tenant } of this.#tenants.values()) size += tenant.shelf.size;
    for (const [name, { tenant }] of this.#tenants) {
      if (size <= this.#most) return;
      size -= tenant.shelf.size;
      if (this.#tenants.size > 1) this.#tenants.delete(name);
      else tenant.shelf.trim(Math.floor(this.#most * KEPT));
    }
  }
}
