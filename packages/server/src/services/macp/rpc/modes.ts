/** The registry of extension modes. */
import { methods } from '@handover/wire';
import type { MacpServices } from '../macp-services.js';
import { registryAnswer } from './registry-answer.js';
import { authenticatedRpc, type UnaryRpcs } from './rpc.js';
import { fromModeDescriptor } from './translate.js';

export function modeRpcs({
  registries,
}: MacpServices): UnaryRpcs<'registerExtMode' | 'unregisterExtMode' | 'promoteMode'> {
  return {
    registerExtMode: authenticatedRpc(methods.registerExtMode, async (caller, { modeDescriptor }) => {
      const rejection = registries.forbidden(caller, 'modes.register');
      if (rejection) return { rejection };
      if (!modeDescriptor) return { malformed: 'mode_descriptor is missing' };
      const descriptor = fromModeDescriptor(modeDescriptor);
      return registryAnswer(registries.changeModes(caller, { kind: 'register', descriptor }));
    }),
    unregisterExtMode: authenticatedRpc(methods.unregisterExtMode, (caller, { mode }) =>
      registryAnswer(registries.changeModes(caller, { kind: 'unregister', mode })),
    ),
    promoteMode: authenticatedRpc(methods.promoteMode, async (caller, { mode, promotedModeName }) => {
      const command = { kind: 'promote', mode, promotedName: promotedModeName } as const;
      const answer = await registryAnswer(registries.changeModes(caller, command));
      if ('rejection' in answer) return answer;
      const name = promotedModeName === '' ? mode : promotedModeName;
      return { value: { ...answer.value, mode: answer.value.ok ? name : '' } };
    }),
  };
}
