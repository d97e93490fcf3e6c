/** Functions that this page can put into words, by selector. A test recomputes every selector from its signature. */
import type { AbiType, Parameter } from './abi-types.js';

export interface KnownFunction {
  readonly name: string;
  readonly parameters: readonly Parameter[];
}

function fn(name: string, ...parameters: readonly (readonly [name: string, type: AbiType])[]): KnownFunction {
  return { name, parameters: parameters.map(([parameter, type]) => ({ name: parameter, type })) };
}

export const KNOWN_FUNCTIONS: Readonly<Record<string, KnownFunction>> = {
  '0xa9059cbb': fn('transfer', ['to', 'address'], ['amount', 'uint256']),
  '0x23b872dd': fn('transferFrom', ['from', 'address'], ['to', 'address'], ['amount', 'uint256']),
  '0x095ea7b3': fn('approve', ['spender', 'address'], ['amount', 'uint256']),
  '0x39509351': fn('increaseAllowance', ['spender', 'address'], ['added', 'uint256']),
  '0xa457c2d7': fn('decreaseAllowance', ['spender', 'address'], ['removed', 'uint256']),
  '0xa22cb465': fn('setApprovalForAll', ['operator', 'address'], ['approved', 'bool']),
  '0x42842e0e': fn('safeTransferFrom', ['from', 'address'], ['to', 'address'], ['tokenId', 'uint256']),
  '0xb88d4fde': fn(
    'safeTransferFrom',
    ['from', 'address'],
    ['to', 'address'],
    ['tokenId', 'uint256'],
    ['data', 'bytes'],
  ),
  '0xf242432a': fn(
    'safeTransferFrom',
    ['from', 'address'],
    ['to', 'address'],
    ['id', 'uint256'],
    ['amount', 'uint256'],
    ['data', 'bytes'],
  ),
  '0x2eb2c2d6': fn(
    'safeBatchTransferFrom',
    ['from', 'address'],
    ['to', 'address'],
    ['ids', 'uint256[]'],
    ['amounts', 'uint256[]'],
    ['data', 'bytes'],
  ),
  '0x40c10f19': fn('mint', ['to', 'address'], ['amount', 'uint256']),
  '0x42966c68': fn('burn', ['amount', 'uint256']),
  '0xd0e30db0': fn('deposit'),
  '0x2e1a7d4d': fn('withdraw', ['amount', 'uint256']),
  '0xf2fde38b': fn('transferOwnership', ['newOwner', 'address']),
  '0x715018a6': fn('renounceOwnership'),
  '0x8153529d': fn('setOSTC', ['id', 'string'], ['json', 'string']),
  '0x66bed771': fn('updateRule', ['json', 'string']),
};
