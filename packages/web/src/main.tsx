/** Entry of the pages. It takes the secret out of the address bar before anything else happens. */
import { render } from 'preact';
import { createApi } from './api/api.js';
import { placeOf, takeSecret } from './api/secret.js';
import { App } from './app.js';
import { createPage } from './flow/create-page.js';
import { createOutbox } from './flow/outbox.js';
import { openOutboxStore } from './flow/outbox-store.js';
import { createReview } from './flow/review.js';
import { GonePage } from './ui/gone.js';
import { OutboxContext } from './ui/page-context.js';

const place = placeOf(window.location.pathname);
const secret = place && takeSecret(place);
const root = document.getElementById('app');

// What a wallet did must be told, whatever this page is about.
const outbox = createOutbox(openOutboxStore());
outbox.start();

if (root && place && secret !== undefined) {
  const page = createPage(createReview(createApi(place, secret)), outbox);
  render(
    <OutboxContext.Provider value={outbox}>
      <App page={page} />
    </OutboxContext.Provider>,
    root,
  );
  void page.start();
} else if (root)
  render(
    <OutboxContext.Provider value={outbox}>
      <GonePage why={place ? 'no-secret' : 'not-found'} />
    </OutboxContext.Provider>,
    root,
  );

// A second link pasted into the same tab changes the fragment only. The browser does not load the page then: reload it.
window.addEventListener('hashchange', () => window.location.reload());
