/**
 * GET /health: the process answers. GET /ready: it can do its work; 503 with the reasons otherwise. Both need no
 * credential and tell nothing that would help an attacker.
 */
import { FaultCode } from '@handover/core';
import type { Engine } from '@handover/engine';
import type { HttpApp, RouteDependencies } from '../http-types.js';

const NAME = 'handover';
const PROBE_MS = 2_000;

export function healthRoutes(app: HttpApp, { deps }: RouteDependencies, isDraining: () => boolean): void {
  const dev = deps.authenticator.anonymous !== undefined;
  const storeAnswers = createProbe(deps.engine);

  app.get('/health', (c) =>
    c.json({
      ok: true,
      name: NAME,
      version: deps.serverVersion,
      devMode: dev,
      // The server signs nothing for anybody and takes nobody's private key.
      serverSigningScope: 'none',
      userOrThirdPartyPrivateKeysAccepted: false,
    }),
  );

  app.get('/ready', async (c) => {
    const { stopped } = deps.engine;
    const shuttingDown = stopped?.code === FaultCode.SHUTTING_DOWN;
    const reasons = [
      ...(isDraining() || shuttingDown ? ['the server is shutting down'] : []),
      ...(stopped && !shuttingDown ? ['the engine has stopped'] : []),
      ...((await storeAnswers()) ? [] : ['the store does not answer']),
    ];
    const ready = reasons.length === 0;
    return c.json({ ready, name: NAME, devMode: dev, reasons }, ready ? 200 : 503);
  });
}

/** However many requests come, only one question to the store is under way at a time. */
function createProbe(engine: Engine): () => Promise<boolean> {
  let running: Promise<boolean> | undefined;
  return () => {
    running ??= answersInTime(engine).finally(() => {
      running = undefined;
    });
    return running;
  };
}

async function answersInTime(engine: Engine): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), PROBE_MS);
    timer.unref();
  });
  const answer = engine.position().then(
    () => true,
    () => false,
  );
  const answered = await Promise.race([answer, late]);
  clearTimeout(timer);
  return answered;
}
