/** RPCs that need no credential: Initialize, the manifest, modes and roots. They show the default tenant. */
import { RejectionCode } from '@handover/core';
import { methods } from '@handover/wire';
import { DEFAULT_TENANT } from '../../dependencies.js';
import { initializeAnswer, isRuntimeAgent, runtimeManifest, versionFlaw } from '../discovery.js';
import type { MacpServices } from '../macp-services.js';
import type { Registries } from '../registries.js';
import { openRpc, refusal, type UnaryRpcs } from './rpc.js';
import { toModeDescriptor, toTransportEndpoint } from './translate.js';

export function discoveryRpcs({
  registries,
  deps,
}: MacpServices): UnaryRpcs<'initialize' | 'getManifest' | 'listModes' | 'listExtModes' | 'listRoots'> {
  const { serverVersion, policiesFromFiles, transportEndpoints } = deps;
  return {
    initialize: openRpc(methods.initialize, async ({ supportedProtocolVersions }) => {
      const rejection = versionFlaw(supportedProtocolVersions);
      if (rejection) return { rejection };
      const modes = await servedModes(registries);
      const { supportedModes, ...answer } = initializeAnswer({ serverVersion, policiesFromFiles, modes });
      return { value: { ...answer, supportedModes: [...supportedModes] } };
    }),
    getManifest: openRpc(methods.getManifest, async ({ agentId }) => {
      if (!isRuntimeAgent(agentId))
        return refusal(
          RejectionCode.AGENT_NOT_FOUND,
          'agent_id is not known here; leave it empty for the runtime itself',
        );
      const { supportedModes, inputContentTypes, outputContentTypes, ...named } = runtimeManifest(
        await servedModes(registries),
      );
      const manifest = {
        ...named,
        supportedModes: [...supportedModes],
        inputContentTypes: [...inputContentTypes],
        outputContentTypes: [...outputContentTypes],
        transportEndpoints: transportEndpoints.map(toTransportEndpoint),
      };
      return { value: { manifest } };
    }),
    listModes: openRpc(methods.listModes, async () => ({
      value: { modes: (await registries.standardModes(DEFAULT_TENANT)).map(toModeDescriptor) },
    })),
    listExtModes: openRpc(methods.listExtModes, async () => ({
      value: { modes: (await registries.extensionModes(DEFAULT_TENANT)).map(toModeDescriptor) },
    })),
    listRoots: openRpc(methods.listRoots, () => ({ value: { roots: [] } })),
  };
}

async function servedModes(registries: Registries): Promise<readonly string[]> {
  const [standard, extension] = await Promise.all([
    registries.standardModes(DEFAULT_TENANT),
    registries.extensionModes(DEFAULT_TENANT),
  ]);
  return [...standard, ...extension].map(({ mode }) => mode);
}
