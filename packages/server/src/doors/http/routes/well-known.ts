/** GET /.well-known/macp.json: the manifest of this runtime. It needs no credential, like the manifest RPC. */

import { DEFAULT_TENANT } from '../../../services/dependencies.js';
import { runtimeManifest } from '../../../services/macp/discovery.js';
import type { HttpApp, RouteDependencies } from '../http-types.js';
import { manifestToJson } from '../translate.js';

export function wellKnownRoute(app: HttpApp, { registries, deps }: RouteDependencies): void {
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
