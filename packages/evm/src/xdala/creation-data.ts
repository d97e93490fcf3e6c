/** The bytes of a transaction that puts one item of a bundle on a chain. Page and server make them by this code. */
import { encode } from 'ox/AbiParameters';
import type { DeploymentStep } from './deployment-texts.js';

const SET_OSTC = '8153529d';

type Deployment = Pick<DeploymentStep, 'kind' | 'text' | 'ostcId'>;

/** Creation code and the arguments of the constructor: the text, or ids, texts and no executors. */
export function creationData(code: string, { kind, text, ostcId = '' }: Deployment): string {
  const body =
    kind === 'xrc137'
      ? encode([{ type: 'string' }], [text])
      : encode([{ type: 'string[]' }, { type: 'string[]' }, { type: 'address[]' }], [[ostcId], [text], []]);
  return code + body.slice(2);
}

/** The call that puts an orchestration into a registry that is there already. */
export function setOstcData(ostcId: string, text: string): string {
  return `0x${SET_OSTC}${encode([{ type: 'string' }, { type: 'string' }], [ostcId, text]).slice(2)}`;
}
