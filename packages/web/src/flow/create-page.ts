import { effect } from '@preact/signals';
import { isOver } from '../model/progress.js';
import { idOf } from '../model/record.js';
import type { Page } from '../ui/page-context.js';
import { type Asking, createAsking } from './asking.js';
import { bundleFamily } from './bundle-family.js';
import type { Family } from './family.js';
import { operationFamily } from './operation-family.js';
import type { Outbox } from './outbox.js';
import type { Review } from './review.js';
import { sessionFamily } from './session-family.js';
import { createSigning } from './signing.js';
import { createWalletConnection } from './wallet-connection.js';

export interface StartedPage extends Page {
  start(): Promise<void>;
}

export function createPage(review: Review, outbox: Outbox): StartedPage {
  const family = familyOf(review);
  const wallet = createWalletConnection(review, async (account) => {
    await family.connected(account);
    await review.refresh();
  });
  const asking = createAsking(review.api, family, outbox);
  const signing = createSigning({ review, wallet, family, outbox, asking });
  const start = async () => {
    await review.refresh();
    review.watch();
    followOutbox(review, outbox, asking);
    const { value: record } = review.record;
    if (!record || isOver(record)) return;
    // This only informs the agent that the page was opened: a failure stops nothing.
    await family.opened?.().catch(() => undefined);
    await review.refresh();
    await signing.finish().catch(() => undefined);
  };
  return { review, wallet, family, signing, outbox, start };
}

/** What the outbox told changes the record; what the record shows tells which asks of this browser got lost. */
function followOutbox(review: Review, outbox: Outbox, asking: Asking): void {
  let untold = 0;
  let recovering = false;
  effect(() => {
    const { value: record } = review.record;
    const { value: entries } = outbox.entries;
    if (!record) return;
    const left = entries.filter(({ id, state }) => id === idOf(record) && state === 'answered').length;
    if (left < untold) void review.refresh();
    untold = left;
    if (recovering) return;
    recovering = true;
    void asking.recover(record).finally(() => {
      recovering = false;
    });
  });
}

function familyOf(review: Review): Family {
  switch (review.api.place.family) {
    case 'operation':
      return operationFamily(review);
    case 'bundle_deploy':
      return bundleFamily(review);
    case 'session_start':
      return sessionFamily(review);
  }
}
