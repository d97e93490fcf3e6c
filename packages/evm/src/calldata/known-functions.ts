/** The functions that a page explains by itself. Selectors are written down and proven by a test. */
export const Standard = {
  Erc20: 'ERC-20',
  Erc721: 'ERC-721',
  Erc1155: 'ERC-1155',
  Erc2612: 'ERC-2612',
  Erc173: 'ERC-173',
  Xrc137: 'XRC-137',
  Xrc729: 'XRC-729',
} as const;
export type Standard = (typeof Standard)[keyof typeof Standard];

export interface KnownFunction {
  /** Without 0x. */
  readonly selector: string;
  readonly signature: string;
  readonly parameters: readonly string[];
  /** More than one where they share the signature: then the same number is an amount in one and an id in the other. */
  readonly standards: readonly Standard[];
  /** Only where a standard says so; every other function loses or refuses value that comes along. */
  readonly payable?: true;
}

const { Erc20, Erc721, Erc1155, Erc2612, Erc173, Xrc137, Xrc729 } = Standard;

const known = (
  selector: string,
  signature: string,
  parameters: string,
  ...standards: readonly Standard[]
): KnownFunction => ({
  selector,
  signature,
  parameters: parameters === '' ? [] : parameters.split(' '),
  standards,
});

const payable = (fn: KnownFunction): KnownFunction => ({ ...fn, payable: true });

export const KNOWN_FUNCTIONS: readonly KnownFunction[] = [
  known('a9059cbb', 'transfer(address,uint256)', 'to amount', Erc20),
  // ERC-721 allows value with both of its ways to transfer; ERC-20 shares this one, so value stays a warning.
  known('23b872dd', 'transferFrom(address,address,uint256)', 'from to amountOrId', Erc20, Erc721),
  known('095ea7b3', 'approve(address,uint256)', 'spender amountOrId', Erc20, Erc721),
  known('39509351', 'increaseAllowance(address,uint256)', 'spender addedAmount', Erc20),
  known('a457c2d7', 'decreaseAllowance(address,uint256)', 'spender subtractedAmount', Erc20),
  known(
    'd505accf',
    'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
    'owner spender amount deadline v r s',
    Erc2612,
  ),
  payable(known('42842e0e', 'safeTransferFrom(address,address,uint256)', 'from to id', Erc721)),
  payable(known('b88d4fde', 'safeTransferFrom(address,address,uint256,bytes)', 'from to id data', Erc721)),
  known('a22cb465', 'setApprovalForAll(address,bool)', 'operator approved', Erc721, Erc1155),
  known(
    'f242432a',
    'safeTransferFrom(address,address,uint256,uint256,bytes)',
    'from to id amount data',
    Erc1155,
  ),
  known(
    '2eb2c2d6',
    'safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)',
    'from to ids amounts data',
    Erc1155,
  ),
  known('f2fde38b', 'transferOwnership(address)', 'newOwner', Erc173, Xrc137, Xrc729),
  known('715018a6', 'renounceOwnership()', '', Erc173),
  known('66bed771', 'updateRule(string)', 'rule', Xrc137),
  known('8153529d', 'setOSTC(string,string)', 'ostcId ostc', Xrc729),
  known('a3df531a', 'deleteOSTC(string)', 'ostcId', Xrc729),
  known('1f5a0bbe', 'addExecutor(address)', 'executor', Xrc729),
  known('24788429', 'removeExecutor(address)', 'executor', Xrc729),
];

const bySelector: ReadonlyMap<string, KnownFunction> = new Map(
  KNOWN_FUNCTIONS.map((fn) => [fn.selector, fn]),
);

export function knownFunction(selector: string): KnownFunction | undefined {
  return bySelector.get(selector.toLowerCase());
}
