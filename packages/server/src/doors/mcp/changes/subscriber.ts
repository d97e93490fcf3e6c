/** One listener of a client: who it is, what it follows, and what it has already been told. */
import type { Principal } from '../../../auth/principal.js';
import type { LocatedResource } from '../resources/address.js';

export type Change = { readonly kind: 'updated'; readonly uri: string } | { readonly kind: 'listed' };

export interface Followed {
  readonly uri: string;
  readonly resource: LocatedResource;
  /** Of what the subscriber could read when it was last told. */
  version: string;
}

export interface SubscriberOptions {
  readonly principal: Principal;
  /** Also wants to know when the list of resources is another one. */
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
