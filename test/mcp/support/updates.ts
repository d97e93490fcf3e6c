/** Clients that note every notification they get. */
import type { Client } from '@modelcontextprotocol/client';
import { until } from '../../kit/until.js';

export interface Updates {
  /** Addresses in the order in which they came; `list` for a changed list. */
  readonly seen: string[];
  until(what: string): Promise<unknown>;
}

export function noteUpdates(client: Client): Updates {
  const seen: string[] = [];
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    seen.push(params.uri);
  });
  client.setNotificationHandler('notifications/resources/list_changed', () => {
    seen.push('list');
  });
  return {
    seen,
    until: (what) =>
      until(
        () => seen,
        () => seen.includes(what),
      ),
  };
}

/** Long enough for what was wrongly sent to arrive. */
export const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300));
