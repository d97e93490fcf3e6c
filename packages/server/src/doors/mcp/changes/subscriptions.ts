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
 */
import { type EntryHead, HandoffMessageType, WorklogEntryType } from '@handover/core';
import type { Principal } from '../../../auth/principal.js';
import { fixedLimits } from '../../../config/fixed-limits.js';
import { locate } from '../resources/address.js';
import type { ResourceKind } from '../resources/resource-kind.js';
import { NEWEST } from '../resources/session-resources.js';
import { type Followed, Subscriber, type SubscriberOptions } from './subscriber.js';
import { agentTopic } from './topics.js';

const MAX_FOLLOWED = fixedLimits.mcpAddressesPerListener.value;

/** What has changed: its topics, and whether a list of resources may have changed with it. */
export interface ChangeNote {
  readonly tenant: string;
  readonly topics: readonly string[];
  readonly listed: boolean;
}

export interface Subscription {
  /** False: the resource does not exist for this subscriber, or it cannot be followed. */
  follow(uri: string): Promise<boolean>;
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
  readonly #byTopic = new Map<string, Set<Subscriber>>();
  #watching: Promise<() => void> | undefined;

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#subscribers.size;
  }

  open(options: SubscriberOptions): Subscription {
    const subscriber = new Subscriber(options);
    this.#subscribers.add(subscriber);
    if (subscriber.lists) this.#file(subscriber, agentTopic(subscriber.principal.agent));
    this.#watch();
    return {
      follow: (uri) => this.#follow(subscriber, uri),
      unfollow: (uri) => {
        subscriber.followed.delete(uri);
      },
      close: () => this.#close(subscriber),
    };
  }

  /** Whether it exists for this caller, and can be followed. */
  async mayFollow(principal: Principal, uri: string): Promise<boolean> {
    return (await this.#versionFor(principal, uri)) !== undefined;
  }

  async #versionFor(principal: Principal, uri: string): Promise<Followed | undefined> {
    const resource = locate(this.#options.kinds, uri);
    if (!resource?.kind.watch || !principal.scopes.has(resource.kind.scope)) return undefined;
    const version = await resource.kind.watch.version(resource.address, principal);
    return version === undefined ? undefined : { uri, resource, version };
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

  async #follow(subscriber: Subscriber, uri: string): Promise<boolean> {
    this.#watch();
    await this.#watching;
    if (subscriber.followed.has(uri)) return true;
    if (subscriber.followed.size >= MAX_FOLLOWED) return false;
    const followed = await this.#versionFor(subscriber.principal, uri);
    if (!followed || !this.#subscribers.has(subscriber)) return false;
    subscriber.followed.set(uri, followed);
    for (const topic of topicsFor(subscriber, followed)) this.#file(subscriber, topic);
    return true;
  }

  #file(subscriber: Subscriber, topic: string): void {
    const key = topicKey(subscriber.principal.tenant, topic);
    const filed = this.#byTopic.get(key) ?? new Set();
    this.#byTopic.set(key, filed.add(subscriber));
  }

  #close(subscriber: Subscriber): void {
    if (!this.#subscribers.delete(subscriber)) return;
    const topics = [...subscriber.followed.values()].flatMap((followed) => topicsFor(subscriber, followed));
    for (const topic of [...topics, agentTopic(subscriber.principal.agent)]) {
      const key = topicKey(subscriber.principal.tenant, topic);
      const filed = this.#byTopic.get(key);
      filed?.delete(subscriber);
      if (filed?.size === 0) this.#byTopic.delete(key);
    }
    if (this.#subscribers.size > 0) return;
    this.#watching?.then((stop) => stop()).catch(() => {});
    this.#watching = undefined;
  }

  async #changed({ tenant, topics, listed }: ChangeNote): Promise<void> {
    const concerned = new Set(
      topics.flatMap((topic) => [...(this.#byTopic.get(topicKey(tenant, topic)) ?? [])]),
    );
    for (const subscriber of concerned) await this.#tell(subscriber, new Set(topics), listed);
  }

  async #tell(subscriber: Subscriber, topics: ReadonlySet<string>, listed: boolean): Promise<void> {
    for (const followed of [...subscriber.followed.values()]) {
      if (!topicsFor(subscriber, followed).some((topic) => topics.has(topic))) continue;
      const now = await this.#versionFor(subscriber.principal, followed.uri);
      if (!now || (now.version === followed.version && now.version !== NEWEST)) continue;
      followed.version = now.version;
      if (this.#subscribers.has(subscriber)) subscriber.send({ kind: 'updated', uri: followed.uri });
    }
    if (listed && subscriber.lists && topics.has(agentTopic(subscriber.principal.agent)))
      subscriber.send({ kind: 'listed' });
  }
}

function topicsFor({ principal }: Subscriber, { resource: { kind, address } }: Followed): readonly string[] {
  return kind.watch?.topics(address, principal) ?? [];
}

const topicKey = (tenant: string, topic: string): string => `${tenant}\n${topic}`;

/** Types that add an entry to something that is already listed, and change no list. */
const UNLISTED: ReadonlySet<string> = new Set([
  WorklogEntryType.ContextAdded,
  HandoffMessageType.Context,
  WorklogEntryType.Dormant,
]);

export function changesLists({ type }: EntryHead): boolean {
  return !UNLISTED.has(type);
}
