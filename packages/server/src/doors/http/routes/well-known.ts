/** What anybody may know of this runtime: its manifest, and the public keys of its receipts, as by their RPCs. */

import { DEFAULT_TENANT } from '../../../services/dependencies.js';
import { runtimeManifest } from '../../../services/macp/discovery.js';
import type { HttpApp, RouteDependencies } from '../http-types.js';
import { manifestToJson } from '../translate.js';

export function wellKnownRoutes(app: HttpApp, { registries, receipts, deps }: RouteDependencies): void {
  app.get('/.well-known/handover-keys.json', (c) =>
    c.body(receipts.keys, 200, { 'Content-Type': 'application/jwk-set+json' }),
  );
  app.get('/.well-known/macp.json', async (c) => {
    const modes = [
      ...(await registries.standardModes(DEFAULT_TENANT)),
      ...(await registries.extensionModes(DEFAULT_TENANT)),
    ].map(({ mode }) => mode);
    return c.json(manifestToJson(runtimeManifest(modes), deps.transportEndpoints), 200, {
      'Content-Type': 'application/macp-manifest+json',
    });
  });
}
