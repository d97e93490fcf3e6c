/** One case of the contract, and the few assertions that the cases need. */
import type { Store } from '../store.js';

/** Opens a store that holds nothing. */
export type OpenStore = () => Promise<Store>;
/** Closes a store and opens the same data again. */
export type ReopenStore = (store: Store) => Promise<Store>;
/** Opens a second writer on the data of a store. */
export type JoinStore = (store: Store) => Promise<Store>;

export interface ContractCase {
  readonly name: string;
  /** Why a driver without `reopen` skips this case. */
  readonly skipWithoutReopen?: string;
  /** Why a driver without `join` skips this case. */
  readonly skipWithoutJoin?: string;
  run(open: OpenStore, reopen?: ReopenStore, join?: JoinStore): Promise<void>;
}

/** A case on one fresh store, which is closed whatever happens. */
export function onStore(name: string, body: (store: Store) => Promise<void>): ContractCase {
  return {
    name,
    async run(open) {
      const store = await open();
      try {
        await body(store);
      } finally {
        await store.close();
      }
    },
  };
}

/** A case on two writers of the same data. */
export function onTwo(name: string, body: (one: Store, other: Store) => Promise<void>): ContractCase {
  return {
    name,
    skipWithoutJoin: 'this process is the only writer',
    async run(open, _reopen, join) {
      assert(join !== undefined, 'this case needs join');
      const one = await open();
      try {
        const other = await join(one);
        try {
          await body(one, other);
        } finally {
          await other.close();
        }
      } finally {
        await one.close();
      }
    },
  };
}

export function assert(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`store contract: ${what}`);
}

export function assertEqual(actual: unknown, expected: unknown, what: string): void {
  if (!same(actual, expected))
    throw new Error(`store contract: ${what}\n  expected ${show(expected)}\n  actual   ${show(actual)}`);
}

function same(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (a instanceof Uint8Array || b instanceof Uint8Array)
    return a instanceof Uint8Array && b instanceof Uint8Array && sameBytes(a, b);
  if (!isObject(a) || !isObject(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && same(a[key], b[key]));
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function show(value: unknown): string {
  const text = JSON.stringify([value], (_key, member: unknown) =>
    member instanceof Uint8Array ? `<${member.length} bytes>` : member,
  );
  return text.slice(1, 600);
}
