/**
 * Decides which subscribers are told about a change.
 *
 * B1. An address is authorised before it is followed. A subscriber cannot follow what it could not read, and the client
 *     learns no more than that.
 * B2. It is authorised again before every message, with the version that this subscriber can read: a former owner, for
 *     example, is not told about later changes. Lists have no version; for them the topic says whom a change concerns.
 * B3. Topics are filed by tenant, so equal keys of two tenants never mix.
 * B4. The log is followed only while there are subscribers. Following begins before the first version is taken, so
 *     nothing is missed.
 * B5. Every address is followed once by a subscriber, in the spelling in which it named it first. Whoever follows many is told in
 *     many turns of the loop.
 * B6. A subscriber that unfollows or closes leaves nothing behind, whatever it was waiting for.
 */
import { type EntryHead, HandoffMessageType, WorklogEntryType } from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import { fixedLimits } from '../../../config/fixed-limits.js';
import { Groups } from '../../../platform/groups.js';
import { LongWork } from '../../../platform/long-work.js';
import { locate, uriOf } from '../resources/address.js';
import type { ResourceKind } from '../resources/resource-kind.js';
import { NEWEST } from '../resources/session-resources.js';
import { type Followed, Subscriber, type SubscriberOptions } from './subscriber.js';

const MAX_FOLLOWED = fixedLimits.mcpAddressesPerListener.value;
/** To look at one address again, and to tell of it. */
const WORK_OF_ONE = 2_048;

/** What has changed: its topics, and whether a list of resources may have changed with it. */
export interface ChangeNote {
  readonly tenant: string;
  readonly topics: readonly string[];
  readonly listed: boolean;
}

/** `unseen`: the resource does not exist for this subscriber, or it cannot be followed. `full`: it follows too many. */
export type FollowResult = 'followed' | 'unseen' | 'full';

export interface Subscription {
  follow(uri: string): Promise<FollowResult>;
  unfollow(uri: string): void;
  close(): void;
}

export interface SubscriptionsOptions {
  readonly kinds: readonly ResourceKind[];
  /** Begins to follow the log when the first subscriber comes. The result stops it when the last one has gone. */
  readonly watch: (onChange: (note: ChangeNote) => Promise<void>) => Promise<() => void>;
}

export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #subscribers = new Set<Subscriber>();
  readonly #byTopic = new Groups<Subscriber>();
  #watching: Promise<() => void> | undefined;

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#subscribers.size;
  }

  /** Topics of which somebody hears. */
  get topics(): number {
    return this.#byTopic.size;
  }

  open(options: SubscriberOptions): Subscription {
    const subscriber = new Subscriber(options);
    this.#subscribers.add(subscriber);
    for (const topic of subscriber.topics) this.#byTopic.add(topicKey(subscriber, topic), subscriber);
    this.#watch();
    return {
      follow: (uri) => this.#follow(subscriber, uri),
      unfollow: (uri) => this.#unfile(subscriber, subscriber.delete(uri)),
      close: () => this.#close(subscriber),
    };
  }

  /** Whether it exists for this caller, and can be followed. */
  async mayFollow(principal: Principal, uri: string): Promise<boolean> {
    return (await this.#versionFor(principal, uri)) !== undefined;
  }

  async #versionFor(principal: Principal, uri: string): Promise<Followed | undefined> {
    const resource = locate(this.#options.kinds, uri);
    // A page is read once; what is followed is the whole.
    if (resource?.address.cursor !== undefined) return undefined;
    if (!resource?.kind.watch || !principal.scopes.has(resource.kind.scope)) return undefined;
    const version = await resource.kind.watch.version(resource.address, principal);
    const address = uriOf(resource.kind, resource.address.values);
    return version === undefined ? undefined : { uri, address, resource, version };
  }

  /** If the log cannot be followed, the calls of `follow` that wait for it fail, and the next call tries again. */
  #watch(): void {
    if (this.#watching) return;
    const watching = this.#options.watch((note) => this.#changed(note));
    watching.catch(() => {
      if (this.#watching === watching) this.#watching = undefined;
    });
    this.#watching = watching;
  }

  async #follow(subscriber: Subscriber, uri: string): Promise<FollowResult> {
    if (subscriber.follows(uri)) return 'followed';
    if (subscriber.size >= MAX_FOLLOWED) return 'full';
    if (!this.#subscribers.has(subscriber)) return 'unseen';
    this.#watch();
    await this.#watching;
    const followed = await this.#versionFor(subscriber.principal, uri);
    if (!followed || !this.#subscribers.has(subscriber)) return 'unseen';
    // Meanwhile others of the same subscriber may have been followed.
    if (subscriber.follows(uri) || subscriber.followsAddress(followed.address)) return 'followed';
    if (subscriber.size >= MAX_FOLLOWED) return 'full';
    for (const topic of subscriber.add(followed)) this.#byTopic.add(topicKey(subscriber, topic), subscriber);
    return 'followed';
  }

  #unfile(subscriber: Subscriber, topics: readonly string[]): void {
    for (const topic of topics) this.#byTopic.delete(topicKey(subscriber, topic), subscriber);
  }

  #close(subscriber: Subscriber): void {
    if (!this.#subscribers.delete(subscriber)) return;
    this.#unfile(subscriber, subscriber.topics);
    if (this.#subscribers.size > 0) return;
    this.#watching?.then((stop) => stop()).catch(() => {});
    this.#watching = undefined;
  }

  async #changed({ tenant, topics: named, listed }: ChangeNote): Promise<void> {
    const topics = new Set(named);
    const concerned = new Set(named.flatMap((topic) => [...this.#byTopic.get(`${tenant}\n${topic}`)]));
    const work = new LongWork();
    for (const subscriber of concerned) await this.#tell(subscriber, topics, listed, work);
  }

  async #tell(
    subscriber: Subscriber,
    topics: ReadonlySet<string>,
    listed: boolean,
    work: LongWork,
  ): Promise<void> {
    for (const followed of subscriber.concerned(topics)) {
      await work.did(WORK_OF_ONE);
      const now = await this.#versionFor(subscriber.principal, followed.uri);
      if (!now || (now.version === followed.version && now.version !== NEWEST)) continue;
      followed.version = now.version;
      if (this.#subscribers.has(subscriber) && subscriber.follows(followed.uri))
        subscriber.send({ kind: 'updated', uri: followed.uri });
    }
    if (listed && subscriber.hearsOfLists(topics) && this.#subscribers.has(subscriber))
      subscriber.send({ kind: 'listed' });
  }
}

const topicKey = ({ principal }: Subscriber, topic: string): string => `${principal.tenant}\n${topic}`;

/** Types that add an entry to something that is already listed, and change no list. */
const UNLISTED: ReadonlySet<string> = new Set([
  WorklogEntryType.ContextAdded,
  HandoffMessageType.Context,
  WorklogEntryType.Dormant,
]);

export function changesLists({ type }: EntryHead): boolean {
  return !UNLISTED.has(type);
}
