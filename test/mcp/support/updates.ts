/** Clients that note every notification they get. */
import type { Client } from '@modelcontextprotocol/client';

export interface Updates {
  /** Addresses in the order in which they came; `list` for a changed list. */
  readonly seen: string[];
  until(what: string): Promise<void>;
}

export function noteUpdates(client: Client): Updates {
  const seen: string[] = [];
  const waiting: (() => void)[] = [];
  const note = (what: string) => {
    seen.push(what);
    for (const wake of waiting.splice(0)) wake();
  };
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => note(params.uri));
  client.setNotificationHandler('notifications/resources/list_changed', () => note('list'));
  return {
    seen,
    async until(what) {
      const deadline = Date.now() + 10_000;
      while (!seen.includes(what)) {
        if (Date.now() > deadline) throw new Error(`no ${what} among ${JSON.stringify(seen)}`);
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          setTimeout(resolve, 100);
        });
      }
    },
  };
}

/** Long enough for what was wrongly sent to arrive. */
export const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 300));
