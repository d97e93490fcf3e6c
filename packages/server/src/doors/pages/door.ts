/**
 * The review pages: one static shell for every well-formed id. The shell gets its data from the API, with the secret
 * from the fragment of the link. Browsers do not send fragments, so this door never sees the secret, and no answer
 * depends on whether a record exists.
 */
import { FAMILY_SERVICES } from '../../services/operations/families/families.js';
import { httpError } from '../http/errors.js';
import type { HttpApp, HttpContext } from '../http/http-types.js';
import { chainInfo, type PublicChains, proofsOf } from './chain-info.js';
import { type PageFiles, readPageFiles } from './page-files.js';
import { pageHeaders } from './page-headers.js';

/** The names of assets change with their content. */
const ASSET_CACHE = 'public, max-age=31536000, immutable';

export interface PagesOptions {
  readonly chains: PublicChains;
  /** Whether the server's own RPC of a chain traces transactions; undefined: the chain is not read, or not now. */
  readonly traces?: (chainId: number) => Promise<boolean | undefined>;
  /** Tests bring their own. */
  readonly files?: PageFiles | undefined;
}

export function mountPages(app: HttpApp, options: PagesOptions): void {
  const { chains, traces, files = readPageFiles() } = options;
  const nodes = [...new Set([...chains.publicRpcs.values()].map((url) => new URL(url).origin))];
  for (const { rules, pageCallsNodes } of Object.values(FAMILY_SERVICES)) {
    const path = `/${rules.place}/:id`;
    const headers = pageHeaders(pageCallsNodes ? nodes : []);
    app.get(path, (c) => {
      if (!rules.idShape.test(c.req.param('id') ?? '')) return nothingHere(c);
      if (!files)
        return httpError(c, 503, 'UNAVAILABLE', 'the pages of this server were not built; run npm run build');
      return c.body(files.shell, 200, { ...headers, 'Content-Type': 'text/html; charset=utf-8' });
    });
    refuseOthers(app, path);
  }
  app.get('/pages/assets/:name', (c) => {
    const file = files?.assets.get(c.req.param('name'));
    if (!file) return nothingHere(c);
    return c.body(file.body, 200, { 'Content-Type': file.type, 'Cache-Control': ASSET_CACHE });
  });
  app.get('/pages/chains/:name', async (c) => {
    const [, digits] = /^([1-9][0-9]{0,15})\.json$/.exec(c.req.param('name')) ?? [];
    const chainId = Number(digits);
    if (!Number.isSafeInteger(chainId)) return nothingHere(c);
    const proofs = proofsOf(await traces?.(chainId));
    return c.json({ ...chainInfo(chainId, chains, files?.creationCode), ...proofs });
  });
}

const nothingHere = (c: HttpContext): Response =>
  httpError(c, 404, 'NOT_FOUND', 'there is nothing at this address');

function refuseOthers(app: HttpApp, path: string): void {
  app.all(path, (c) => {
    c.header('Allow', 'GET, HEAD');
    return httpError(c, 405, 'METHOD_NOT_ALLOWED', 'use GET, HEAD');
  });
}
