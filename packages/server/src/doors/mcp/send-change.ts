import type { Server } from '@modelcontextprotocol/server';
import type { Change } from './changes/subscriber.js';

/** Tells the client of a server object about a change. It ignores errors, because the client may just have gone. */
export function sendChange(server: Server | undefined, change: Change): void {
  const sent =
    change.kind === 'listed'
      ? server?.sendResourceListChanged()
      : server?.sendResourceUpdated({ uri: change.uri });
  sent?.catch(() => {});
}
