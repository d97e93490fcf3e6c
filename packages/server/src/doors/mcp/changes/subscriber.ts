/** One listener of a client: who it is, what it follows, and what it has already been told. */
import type { Principal } from '../../../auth/principal.js';
import type { LocatedResource } from '../resources/address.js';

export type Change = { readonly kind: 'updated'; readonly uri: string } | { readonly kind: 'listed' };

export interface Followed {
  readonly uri: string;
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
  readonly lists: boolean;
  readonly send: (change: Change) => void;
  readonly followed = new Map<string, Followed>();

  constructor({ principal, lists, send }: SubscriberOptions) {
    this.principal = principal;
    this.lists = lists;
    this.send = send;
  }
}
