/** The bytes of a transaction that puts one item of a bundle on a chain. Page and server make them by this code. */
import type { DeploymentStep } from '../deploy/texts.js';
import { encodeValues, type TextCodec } from './abi-encode.js';
import type { AbiType } from './abi-type.js';

const STRING: AbiType = { kind: 'string' };
const STRINGS: AbiType = { kind: 'array', of: STRING };
const ADDRESSES: AbiType = { kind: 'array', of: { kind: 'address' } };
const SET_OSTC = '8153529d';

type Deployment = Pick<DeploymentStep, 'kind' | 'text' | 'ostcId'>;

/** Creation code and the arguments of the constructor: the text, or ids, texts and no executors. */
export function creationData(
  code: string,
  { kind, text, ostcId = '' }: Deployment,
  codec: TextCodec,
): string {
  const body =
    kind === 'xrc137'
      ? encodeValues([STRING], [text], codec)
      : encodeValues([STRINGS, STRINGS, ADDRESSES], [[ostcId], [text], []], codec);
  return code + (body ?? '');
}

/** The call that puts an orchestration into a registry that is there already. */
export function setOstcData(ostcId: string, text: string, codec: TextCodec): string {
  return `0x${SET_OSTC}${encodeValues([STRING, STRING], [ostcId, text], codec) ?? ''}`;
}
