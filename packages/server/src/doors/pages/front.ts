/** `/`: one small page for people, the same as text for programs. It says nothing that a caller could not find out. */
import { createHash } from 'node:crypto';
import { httpError } from '../http/errors.js';
import type { HttpApp, HttpContext } from '../http/http-types.js';
import { FRONT_STYLE, type FrontFacts, frontHtml, frontText } from './front-page.js';
import { pageHeaders } from './page-headers.js';

export interface FrontOptions {
  readonly version: string;
  readonly dev: boolean;
  readonly publicBaseUrl: string | undefined;
  /** Known when the gRPC door listens. */
  readonly grpcPort: () => number | undefined;
}

const STYLE_HASH = createHash('sha256').update(FRONT_STYLE).digest('base64');

/** No script and nothing from elsewhere: the page is text and its own style. */
const HEADERS = {
  ...pageHeaders([]),
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  Vary: 'Accept',
};

export function mountFront(app: HttpApp, options: FrontOptions): void {
  app.get('/', (c) => {
    const facts = factsFor(c, options);
    const asPage = c.req.header('accept')?.includes('text/html') ?? false;
    return asPage
      ? c.body(frontHtml(facts), 200, { ...HEADERS, 'Content-Type': 'text/html; charset=utf-8' })
      : c.body(frontText(facts), 200, { ...HEADERS, 'Content-Type': 'text/plain; charset=utf-8' });
  });
  app.all('/', (c) => {
    c.header('Allow', 'GET, HEAD');
    return httpError(c, 405, 'METHOD_NOT_ALLOWED', 'use GET, HEAD');
  });
}

function factsFor(c: HttpContext, { version, dev, publicBaseUrl, grpcPort }: FrontOptions): FrontFacts {
  // The guards have let the Host pass, so it is an address of this server.
  const baseUrl = publicBaseUrl ?? new URL(c.req.url).origin;
  return { version, baseUrl, dev, grpcPort: grpcPort() };
}
