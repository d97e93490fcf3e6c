/** One listener of a client: who it is, what it follows, and what it has already been told. */
import type { Principal } from '../../../auth/principal.js';
import { Groups } from '../../../platform/groups.js';
import type { LocatedResource } from '../resources/address.js';
import { agentTopic } from './topics.js';

export type Change = { readonly kind: 'updated'; readonly uri: string } | { readonly kind: 'listed' };

export interface Followed {
  /** As the client spelled it. */
  readonly uri: string;
  /** As this server spells it. */
  readonly address: string;
  readonly resource: LocatedResource;
  /** The version that the subscriber could read when it was last told. */
  version: string;
}

export interface SubscriberOptions {
  readonly principal: Principal;
  /** The subscriber also wants to know when its list of resources changes. */
  readonly lists: boolean;
  send(change: Change): void;
}

export class Subscriber {
  readonly principal: Principal;
  readonly send: (change: Change) => void;
  /** The topic of its lists, if it wants to know of them. */
  readonly #lists: string | undefined;
  readonly #followed = new Map<string, Followed>();
  readonly #addresses = new Set<string>();
  readonly #byTopic = new Groups<Followed>();

  constructor({ principal, lists, send }: SubscriberOptions) {
    this.principal = principal;
    this.send = send;
    this.#lists = lists ? agentTopic(principal.agent) : undefined;
  }

  get size(): number {
    return this.#followed.size;
  }

  get topics(): readonly string[] {
    return [...this.#byTopic.keys(), ...(this.#lists === undefined ? [] : [this.#lists])];
  }

  follows(uri: string): boolean {
    return this.#followed.has(uri);
  }

  followsAddress(address: string): boolean {
    return this.#addresses.has(address);
  }

  hears(topic: string): boolean {
    return topic === this.#lists || this.#byTopic.has(topic);
  }

  hearsOfLists(topics: ReadonlySet<string>): boolean {
    return this.#lists !== undefined && topics.has(this.#lists);
  }

  /** What it follows that is about one of the topics. */
  concerned(topics: ReadonlySet<string>): ReadonlySet<Followed> {
    return new Set([...topics].flatMap((topic) => [...this.#byTopic.get(topic)]));
  }

  /** Returns the topics of what was added. */
  add(followed: Followed): readonly string[] {
    this.#followed.set(followed.uri, followed);
    this.#addresses.add(followed.address);
    const topics = this.#topicsOf(followed);
    for (const topic of topics) this.#byTopic.add(topic, followed);
    return topics;
  }

  /** Returns the topics of which it hears no more. */
  delete(uri: string): readonly string[] {
    const followed = this.#followed.get(uri);
    if (!followed) return [];
    this.#followed.delete(uri);
    this.#addresses.delete(followed.address);
    const topics = this.#topicsOf(followed);
    for (const topic of topics) this.#byTopic.delete(topic, followed);
    return topics.filter((topic) => !this.hears(topic));
  }

  #topicsOf({ resource: { kind, address } }: Followed): readonly string[] {
    return kind.watch?.topics(address, this.principal) ?? [];
  }
}
