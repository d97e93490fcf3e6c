/** Family 2: deploying an XRC-729/XRC-137 process bundle. */
import { Family } from '@handover/core';
import { z } from 'zod';
import { Scope } from '../../../../auth/scopes.js';
import type { Operations } from '../../../../services/operations/operations.js';
import { operationKey } from '../../arguments.js';
import { freeObject } from '../../json-argument.js';
import { ADDS, type Tool } from '../../tool.js';
import { chainId, network, operationTool, replaces, ttlSeconds } from './define.js';
import { NO_KEYS, URL_ONCE, WARNINGS } from './guidance.js';
import { handleTools } from './handle-tools.js';
import { reviewRounds } from './review.js';

const createInput = z.strictObject({
  network,
  chainId,
  bundle: freeObject('An xgr-multi-bundle@1; check it with validate_xgr_multibundle first.'),
  summary: freeObject('What the person should read first; `title` is the heading.').exactOptional(),
  validation: freeObject('Your own checks, kept as claimed; the server makes its own.').exactOptional(),
  ttlSeconds: ttlSeconds.exactOptional(),
  idempotencyKey: operationKey.exactOptional(),
  replaces: replaces.exactOptional(),
});
type CreateArgs = z.infer<typeof createInput>;

export function bundleTools({ service }: Operations): readonly Tool[] {
  return [
    operationTool<CreateArgs>({
      name: 'create_xdala_bundle_deploy_handoff',
      title: 'Hand a bundle to the user for deployment',
      description: `Store a validated xgr-multi-bundle@1 and return an import URL: the deploy path for a complete XRC-729/XRC-137 process bundle. An invalid bundle is refused with codes and paths. ${NO_KEYS} Returns xdalaUrl and digest. ${URL_ONCE} ${WARNINGS} Follow it with get_xdala_bundle_deploy_result.`,
      scope: Scope.OPERATION_CREATE,
      hints: { ...ADDS, openWorldHint: true },
      input: createInput,
      large: 'bundle',
      review: reviewRounds(service, 'create_xdala_bundle_deploy_handoff'),
      run: (args, { principal }) => service.createBundleDeploy(principal, args),
    }),
    ...handleTools(service, Family.BundleDeploy, {
      handle: 'The bd_ handle.',
      look: {
        name: 'get_xdala_bundle_deploy_handoff',
        title: 'Look at a bundle deploy',
        description:
          'Metadata, the bundle and any recorded result of a bundle deploy of yours; documents above 256 KiB are left out (omitted says so), since the page shows them. status deployed comes only after the server has found every contract on the chain. Of an expired one only metadata is left.',
      },
      result: {
        name: 'get_xdala_bundle_deploy_result',
        title: 'Result of a bundle deploy',
        description:
          'The deployed artifact and the events of a bundle deploy of yours; without a result yet, its status.',
      },
      cancel: {
        name: 'cancel_xdala_bundle_deploy_handoff',
        title: 'Cancel a bundle deploy',
        description:
          'Take a bundle deploy back before anything was sent. It never undoes what was signed or sent; of one that is over it changes nothing.',
      },
    }),
  ];
}
