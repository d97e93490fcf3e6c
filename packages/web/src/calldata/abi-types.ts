export type AbiType =
  | 'address'
  | 'uint256'
  | 'bool'
  | 'bytes4'
  | 'bytes32'
  | 'string'
  | 'bytes'
  | 'uint256[]'
  | 'string[]'
  | 'address[]';

export interface Parameter {
  readonly name: string;
  readonly type: AbiType;
}

export type AbiValue = string | bigint | boolean | readonly AbiValue[];
