/**
 * GET /health: the process answers. GET /ready: it can do its work; 503 with the reasons otherwise. Both need no
 * credential and tell nothing that would help an attacker.
 */
import { FaultCode } from '@handover/core';
import type { ChainTrouble } from '../../../observe/chain-troubles.js';
import { iso } from '../../../platform/iso.js';
import type { ServiceDependencies } from '../../../services/dependencies.js';
import type { HttpApp, RouteDependencies } from '../http-types.js';

const NAME = 'handover';
const PROBE_MS = 2_000;

export function healthRoutes(app: HttpApp, { deps }: RouteDependencies, isDraining: () => boolean): void {
  const dev = deps.authenticator.anonymous !== undefined;
  const storeFlaw = createProbe(deps);

  app.get('/health', (c) =>
    c.json({
      ok: true,
      name: NAME,
      version: deps.serverVersion,
      devMode: dev,
      // The server signs nothing for anybody and takes nobody's private key.
      serverSigningScope: 'none',
      userOrThirdPartyPrivateKeysAccepted: false,
      ...chainsOf(deps.chainTroubles.all()),
    }),
  );

  app.get('/ready', async (c) => {
    const { stopped } = deps.engine;
    const flaw = await storeFlaw();
    const shuttingDown = stopped?.code === FaultCode.SHUTTING_DOWN;
    const reasons = [
      ...(isDraining() || shuttingDown ? ['the server is shutting down'] : []),
      ...(stopped && !shuttingDown ? ['the engine has stopped'] : []),
      ...(flaw === undefined ? [] : [flaw]),
    ];
    const ready = reasons.length === 0;
    return c.json({ ready, name: NAME, devMode: dev, reasons }, ready ? 200 : 503);
  });
}

/** Chains that cannot be looked at now; absent: there is none. */
function chainsOf(troubles: readonly ChainTrouble[]): { readonly chains?: readonly object[] } {
  const chains = troubles.map(({ chainId, code, since }) => ({ chainId, code, since: iso(since) }));
  return chains.length === 0 ? {} : { chains };
}

const SILENT = 'the store does not answer';
const NO_ROOM = 'nothing can be stored: the disk is nearly full';

/** However many requests come, only one question to the store is under way at a time. */
function createProbe(
  deps: Pick<ServiceDependencies, 'engine' | 'storeRefusal'>,
): () => Promise<string | undefined> {
  let running: Promise<string | undefined> | undefined;
  return () => {
    running ??= flawInTime(deps).finally(() => {
      running = undefined;
    });
    return running;
  };
}

async function flawInTime({
  engine,
  storeRefusal,
}: Pick<ServiceDependencies, 'engine' | 'storeRefusal'>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(SILENT), PROBE_MS);
    timer.unref();
  });
  const answer = Promise.all([engine.position(), storeRefusal()]).then(
    ([, refusal]) => (refusal === undefined ? undefined : NO_ROOM),
    () => SILENT,
  );
  const flaw = await Promise.race([answer, late]);
  clearTimeout(timer);
  return flaw;
}
