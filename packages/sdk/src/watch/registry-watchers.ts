/** Watchers that need no memory: after a reconnection the first message is the present state. */
import type { MacpClient } from '../client/client.js';
import type { PoliciesChanged, RegistryChanged, RootsChanged } from '../client/types.js';
import type { WatchOptions } from '../client/watches.js';
import { first, forEach, Watcher } from './watcher.js';

/** Watches the mode registry; each change is a hint to list the modes again. */
export class ModeRegistryWatcher extends Watcher<RegistryChanged> {
  protected override connect(client: MacpClient, options: WatchOptions): AsyncGenerator<RegistryChanged> {
    return client.watchModeRegistry(options);
  }
  /** A hint at once, at each change, and after each reconnection. */
  changes(signal?: AbortSignal): AsyncGenerator<RegistryChanged, void, void> {
    return this.iterate(signal);
  }
  /** Calls the handler for each change, one after another, until the signal fires. */
  watch(handler: (change: RegistryChanged) => void | Promise<void>, signal?: AbortSignal): Promise<void> {
    return forEach(this.changes(signal), handler);
  }
  /** The next change. */
  nextChange(signal?: AbortSignal): Promise<RegistryChanged> {
    return first(this.changes(signal));
  }
}

/** Watches the roots; each change is a hint to list them again. */
export class RootsWatcher extends Watcher<RootsChanged> {
  protected override connect(client: MacpClient, options: WatchOptions): AsyncGenerator<RootsChanged> {
    return client.watchRoots(options);
  }
  /** A hint at once, at each change, and after each reconnection. */
  changes(signal?: AbortSignal): AsyncGenerator<RootsChanged, void, void> {
    return this.iterate(signal);
  }
  /** Calls the handler for each change, one after another, until the signal fires. */
  watch(handler: (change: RootsChanged) => void | Promise<void>, signal?: AbortSignal): Promise<void> {
    return forEach(this.changes(signal), handler);
  }
  /** The next change. */
  nextChange(signal?: AbortSignal): Promise<RootsChanged> {
    return first(this.changes(signal));
  }
}

/** Watches the policies; each change is the full list. */
export class PolicyWatcher extends Watcher<PoliciesChanged> {
  protected override connect(client: MacpClient, options: WatchOptions): AsyncGenerator<PoliciesChanged> {
    return client.watchPolicies(options);
  }
  /** The list at once and at each change; a reconnection that finds the same list yields nothing. */
  async *changes(signal?: AbortSignal): AsyncGenerator<PoliciesChanged, void, void> {
    let last: string | undefined;
    for await (const change of this.iterate(signal)) {
      const list = JSON.stringify(change.descriptors);
      if (list === last) continue;
      last = list;
      yield change;
    }
  }
  /** Calls the handler for each change, one after another, until the signal fires. */
  watch(handler: (change: PoliciesChanged) => void | Promise<void>, signal?: AbortSignal): Promise<void> {
    return forEach(this.changes(signal), handler);
  }
  /** The next list. */
  nextChange(signal?: AbortSignal): Promise<PoliciesChanged> {
    return first(this.changes(signal));
  }
}
