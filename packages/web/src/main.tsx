/** Entry of the pages. It takes the secret out of the address bar before anything else happens. */
import { render } from 'preact';
import { createApi } from './api/api.js';
import { placeOf, takeSecret } from './api/secret.js';
import { App } from './app.js';
import { createPage } from './flow/create-page.js';
import { createReview } from './flow/review.js';
import { GonePage } from './ui/gone.js';

const place = placeOf(window.location.pathname);
const secret = place && takeSecret(place);
const root = document.getElementById('app');

if (root && place && secret !== undefined) {
  const page = createPage(createReview(createApi(place, secret)));
  render(<App page={page} />, root);
  void page.start();
} else if (root) render(<GonePage why={place ? 'no-secret' : 'not-found'} />, root);

// A second link pasted into the same tab changes the fragment only. The browser does not load the page then: reload it.
window.addEventListener('hashchange', () => window.location.reload());
