/**
 * Makes the whole server and wires it. Only this file knows everything that it is made of.
 *
 *   store -> engine -> services (auth, limits) -> doors
 */
import type { HandoverError } from '@handover/core';
import type { Store } from '@handover/engine';
import type { ChainReader } from './chain/port.js';
import { createDependencies } from './compose/dependencies.js';
import { openHandoffService } from './compose/handoffs.js';
import { listenOnKeptPort } from './compose/kept-port.js';
import { openMcpDoor } from './compose/mcp-door.js';
import { openOperations } from './compose/operations.js';
import { openReceiptKeys } from './compose/receipt-keys.js';
import { openSocketDoor } from './compose/socket-door.js';
import { openStore } from './compose/store.js';
import { openWebhooks } from './compose/webhooks.js';
import type { Configuration } from './config/configuration.js';
import { mountApi } from './doors/api/door.js';
import { createHttpDoor, type HttpDoor } from './doors/http/door.js';
import type { HttpApp } from './doors/http/http-types.js';
import { resourceOf } from './doors/mcp/http/resource-metadata.js';
import { mountFront } from './doors/pages/front.js';
import type { Log } from './observe/log.js';
import type { ReadyFacts } from './observe/ready-line.js';
import { RegistryConfigurationService } from './services/configuration/configuration-service.js';
import { raiseFormat } from './services/configuration/format-level.js';
import { openLiveConfiguration } from './services/configuration/live-configuration.js';
import { LargeWork } from './services/large/large-work.js';
import { createMacpServices } from './services/macp/macp-services.js';
import { adoptPolicies, readPolicyFiles, warnOfOlderKeys } from './services/macp/policy-files.js';
import { VERSION } from './version.js';

export interface ServerOptions {
  readonly log: Log;
  /**
   * Called when the outcome of a write is unknown. The process should then end; a fresh start reads what was stored.
   */
  readonly onFatal?: (fault: HandoverError) => void;
  /** Called when `handover stop` asks the server to end. */
  readonly onStop?: () => void;
  /** Tests bring their own clock, and a store that they keep. */
  readonly now?: () => number;
  /** For rates and the age of keys; never goes back. */
  readonly monotonicNow?: () => number;
  readonly store?: Store;
  /** Tests bring a chain of their own. */
  readonly chains?: ChainReader;
}

export interface Server extends ReadyFacts {
  /** Closes the doors first, then the effects, the engine and the store. Clients are cut off at the deadline. */
  close(deadline?: AbortSignal): Promise<void>;
  /** Somebody is connected over the socket, or something is under way that must not be cut off. */
  isBusy(): boolean;
}

/**
 * A server beside assistants does not listen for gRPC: there are no credentials with which to call it. An assistant waits
 * for its start, so the libraries of gRPC are loaded only where they are used.
 */
const NO_GRPC = { host: '127.0.0.1', port: 0 };

export async function startServer(asked: Configuration, options: ServerOptions): Promise<Server> {
  const policies = asked.policiesFolder ? readPolicyFiles(asked.policiesFolder) : undefined;
  if (policies) warnOfOlderKeys(policies, options.log);
  const store = options.store ?? (await openStore(asked, options.log, options.onFatal));
  try {
    return await startOn(store, asked, options, policies);
  } catch (thrown) {
    // Whatever failed after the store was opened: its lock must not outlive the attempt.
    if (!options.store) await store.close();
    throw thrown;
  }
}

async function startOn(
  store: Store,
  asked: Configuration,
  options: ServerOptions,
  policies: ReturnType<typeof readPolicyFiles> | undefined,
): Promise<Server> {
  const { log, now = Date.now, monotonicNow } = options;
  const live = await openLiveConfiguration(asked, store, log);
  const { configuration, settingsNow } = live;
  const ownsFolder = !options.store;
  const receiptKeys = openReceiptKeys(configuration, ownsFolder);
  const deps = createDependencies(configuration, store, log, now, {
    monotonicNow,
    settingsNow,
    receiptKeys,
  });
  const macp = createMacpServices(deps);
  const { quota } = macp;
  const { directory } = deps;
  const handoffs = openHandoffService({ configuration, deps, store, ownsFolder, quota });
  const large = new LargeWork({ onJob: () => deps.metrics.largeJob() });
  const operations = openOperations({
    configuration,
    deps,
    large,
    store,
    ownsFolder,
    log,
    ...(monotonicNow && { monotonicNow }),
    ...(options.chains && { chains: options.chains }),
  });
  const settings = new RegistryConfigurationService({ deps, live, log });
  const grpc = configuration.forAssistants
    ? undefined
    : (await import('./doors/grpc/door.js')).createGrpcDoor({ configuration, services: macp, log });
  const mcp = openMcpDoor({
    configuration,
    deps,
    handoffs,
    directory,
    operations: operations.operations,
    large,
    settings,
    log,
  });
  let grpcPort: number | undefined;
  const mount = (app: HttpApp): void => {
    // Assistants reach the server beside them only over the socket, so HTTP serves no MCP there. People still need its
    // pages.
    if (!configuration.forAssistants) {
      mcp.mount(app);
      const {
        auth,
        mcp: { publicBaseUrl },
      } = configuration;
      mountApi(app, {
        deps,
        hooks: { handoffs, directory, now },
        // A token that was made out for MCP is good here, too: commands and assistants share it.
        resource: (c) => resourceOf(c, publicBaseUrl === undefined ? {} : { publicBaseUrl }),
      });
      mountFront(app, {
        version: VERSION,
        dev: auth.kind === 'dev',
        publicBaseUrl,
        grpcPort: () => grpcPort,
      });
    }
    operations.mount(app);
  };
  const http = createHttpDoor({ configuration, services: macp, log, mount });
  const webhooks = openWebhooks({ configuration, deps, ownsFolder, log });
  const local = openSocketDoor({
    ...{
      configuration,
      ownsFolder,
      deps,
      store,
      mcp,
      handoffs,
      directory,
      webhooks,
      receipts: macp.receipts,
      log,
    },
    ...(options.onStop && { onStop: options.onStop }),
  });
  const close = async (
    deadline = AbortSignal.timeout(configuration.limits.shutdownDrainMs),
  ): Promise<void> => {
    await Promise.all([mcp.close(), grpc?.close(deadline), http.close(deadline), local?.close()]);
    await Promise.all([webhooks.close(), operations.close(), large.close()]);
    await deps.engine.close();
    deps.loop.close();
    if (!options.store) await store.close();
  };
  try {
    await raiseFormat(deps.engine, log);
    if (policies) await adoptPolicies(deps.engine, policies);
    deps.engine.start();
    await webhooks.start();
    const [grpcAt, httpAt] = await allOrNone([
      grpc?.listen() ?? NO_GRPC,
      listenHttp(http, configuration, log),
      local?.listen(),
    ]);
    grpcPort = grpcAt.port;
    await operations.start(httpAt.url);
    const low = await deps.storeRefusal();
    if (low !== undefined) log.warn('store.refuses', { message: `nothing can be stored: ${low}` });
    log.info('server.ready', {
      grpc: grpcAt.port,
      http: httpAt.url,
      store: store.name,
      auth: deps.authenticator.name,
    });
    const isBusy = () => (local?.connections ?? 0) > 0 || webhooks.pending > 0 || operations.isBusy();
    const facts = { httpUrl: httpAt.url, store: store.name, auth: deps.authenticator.name };
    return { grpc: grpcAt, ...facts, isBusy, close };
  } catch (thrown) {
    await close(AbortSignal.abort());
    throw thrown;
  }
}

/** Waits for all, also when one fails: a door that listens after it was closed would stay open. */
async function allOrNone<const T extends readonly unknown[]>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(work);
  return Promise.all(work) as Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }>;
}

/** Beside assistants any port will do, unless one was chosen: then it is the same as before. */
function listenHttp(http: HttpDoor, { forAssistants, store, http: { address } }: Configuration, log: Log) {
  const anyPort = forAssistants && address.port === 0 && store.kind === 'sqlite';
  return anyPort ? listenOnKeptPort(http, store.folder, log) : http.listen();
}
