/** RPCs that need no credential: Initialize, the manifest, modes and roots. They show the default tenant. */
import { RejectionCode, reject } from '@handover/core';
import { encodeMessage, pb } from '@handover/wire';
import { DEFAULT_TENANT } from '../../../services/dependencies.js';
import {
  initializeAnswer,
  isRuntimeAgent,
  runtimeManifest,
  versionFlaw,
} from '../../../services/macp/discovery.js';
import type { Registries } from '../../../services/macp/registries.js';
import type { DoorContext } from '../context.js';
import { statusOfRejection } from '../errors.js';
import { toModeDescriptor, toTransportEndpoint } from '../translate.js';
import { openCall } from '../unary.js';

const UNKNOWN_AGENT = statusOfRejection(
  reject(RejectionCode.AGENT_NOT_FOUND, 'agent_id is not known here; leave it empty for the runtime itself'),
);

export function discoveryMethods(context: DoorContext) {
  const { registries, deps } = context;
  const { serverVersion, policiesFromFiles } = deps;
  return {
    initialize: openCall(context, pb.InitializeRequestSchema, async ({ supportedProtocolVersions }) => {
      const flaw = versionFlaw(supportedProtocolVersions);
      if (flaw) return statusOfRejection(flaw);
      const modes = await servedModes(registries);
      const { supportedModes, ...answer } = initializeAnswer({ serverVersion, policiesFromFiles, modes });
      return encodeMessage(pb.InitializeResponseSchema, { ...answer, supportedModes: [...supportedModes] });
    }),
    getManifest: openCall(context, pb.GetManifestRequestSchema, async ({ agentId }) => {
      if (!isRuntimeAgent(agentId)) return UNKNOWN_AGENT;
      const { supportedModes, inputContentTypes, outputContentTypes, ...named } = runtimeManifest(
        await servedModes(registries),
      );
      const manifest = {
        ...named,
        supportedModes: [...supportedModes],
        inputContentTypes: [...inputContentTypes],
        outputContentTypes: [...outputContentTypes],
        transportEndpoints: deps.transportEndpoints.map(toTransportEndpoint),
      };
      return encodeMessage(pb.GetManifestResponseSchema, { manifest });
    }),
    listModes: openCall(context, pb.ListModesRequestSchema, async () => {
      const modes = (await registries.standardModes(DEFAULT_TENANT)).map(toModeDescriptor);
      return encodeMessage(pb.ListModesResponseSchema, { modes });
    }),
    listExtModes: openCall(context, pb.ListExtModesRequestSchema, async () => {
      const modes = (await registries.extensionModes(DEFAULT_TENANT)).map(toModeDescriptor);
      return encodeMessage(pb.ListExtModesResponseSchema, { modes });
    }),
    listRoots: openCall(context, pb.ListRootsRequestSchema, () =>
      encodeMessage(pb.ListRootsResponseSchema, { roots: [] }),
    ),
  };
}

async function servedModes(registries: Registries): Promise<readonly string[]> {
  const [standard, extension] = await Promise.all([
    registries.standardModes(DEFAULT_TENANT),
    registries.extensionModes(DEFAULT_TENANT),
  ]);
  return [...standard, ...extension].map(({ mode }) => mode);
}
