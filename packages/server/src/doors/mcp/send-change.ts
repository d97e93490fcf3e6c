import type { Server } from '@modelcontextprotocol/server';
import type { Change } from './changes/subscriber.js';

/** Tells the client of a server object; one that has just gone is not told. */
export function sendChange(server: Server | undefined, change: Change): void {
  const sent =
    change.kind === 'listed'
      ? server?.sendResourceListChanged()
      : server?.sendResourceUpdated({ uri: change.uri });
  sent?.catch(() => {});
}
