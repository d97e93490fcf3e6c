/** GET /metrics for Prometheus: open to clients on this machine; others need the scope `handoff:admin`. */
import { type Rejection, RejectionCode, reject } from '@handover/core';
import { Scope } from '../../../auth/scopes.js';
import type { Cidr } from '../../../config/cidr.js';
import type { ServiceDependencies } from '../../../services/dependencies.js';
import { clientAddress } from '../client-address.js';
import { rejectionAnswer } from '../errors.js';
import type { HttpApp, HttpContext } from '../http-types.js';
import { authenticateRequest } from '../principal.js';

export function metricsRoute(app: HttpApp, deps: ServiceDependencies, trustedProxy: Cidr | undefined): void {
  app.get('/metrics', async (c) => {
    const rejection = clientAddress(c, trustedProxy).local ? undefined : await accessFlaw(c, deps);
    if (rejection) return rejectionAnswer(c, rejection);
    deps.metrics.subscribers(deps.engine.subscribers);
    deps.metrics.listeners(deps.listeners.count, deps.listeners.bytes);
    return c.body(await deps.metrics.render(), 200, { 'Content-Type': deps.metrics.contentType });
  });
}

async function accessFlaw(c: HttpContext, deps: ServiceDependencies): Promise<Rejection | undefined> {
  const known = await authenticateRequest(deps, c);
  if ('rejection' in known) return known.rejection;
  const { value: principal } = known;
  if (principal.scopes.has(Scope.HANDOFF_ADMIN)) return undefined;
  const code = RejectionCode.FORBIDDEN;
  deps.audit.authorizationFailed({ actor: principal, action: 'metrics', code });
  return reject(code, `reading metrics from another machine needs the scope ${Scope.HANDOFF_ADMIN}`);
}
