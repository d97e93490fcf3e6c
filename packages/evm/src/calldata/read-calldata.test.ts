import { type Abi, encodeFunctionData, parseAbiItem, toFunctionSelector } from 'viem';
import { describe, expect, it } from 'vitest';
import { KNOWN_FUNCTIONS } from './known-functions.js';
import { readCalldata } from './read-calldata.js';
import { CallWarning } from './warnings.js';

const SIGNER = `0x${'aa'.repeat(20)}` as const;
const OTHER = `0x${'bb'.repeat(20)}` as const;
const TOKEN = `0x${'cc'.repeat(20)}` as const;
const NOBODY = `0x${'00'.repeat(20)}` as const;
const MAX = 2n ** 256n - 1n;
const MANY = Array.from({ length: 2_500 }, () => 1n);

const encode = (signature: string, args: readonly unknown[]) =>
  encodeFunctionData({ abi: [parseAbiItem(`function ${signature}` as string)] as Abi, args });
const read = (data: string, value = 0n, claim?: string) =>
  readCalldata({ from: SIGNER, to: TOKEN, value, data }, claim);
const warningsOf = (signature: string, args: readonly unknown[], value = 0n) =>
  read(encode(signature, args), value).warnings;

describe('known functions', () => {
  it.each(KNOWN_FUNCTIONS)(
    '$signature has the selector 0x$selector',
    ({ selector, signature, parameters }) => {
      expect(toFunctionSelector(signature)).toBe(`0x${selector}`);
      const count = signature.endsWith('()') ? 0 : signature.split(',').length;
      expect(parameters).toHaveLength(count);
    },
  );

  it('are shown with names, types and values', () => {
    expect(read(encode('transfer(address,uint256)', [OTHER, 5n]))).toEqual({
      kind: 'call',
      selector: '0xa9059cbb',
      call: {
        name: 'transfer',
        signature: 'transfer(address,uint256)',
        arguments: [
          { name: 'to', type: 'address', value: OTHER },
          { name: 'amount', type: 'uint256', value: '5' },
        ],
        standards: ['ERC-20'],
        source: 'built-in',
      },
      warnings: [],
    });
  });

  it('that two standards share say so', () => {
    expect(read(encode('approve(address,uint256)', [OTHER, 5n])).call?.standards).toEqual([
      'ERC-20',
      'ERC-721',
    ]);
  });

  it('with lists and texts are read whole', () => {
    const batch = encode('safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)', [
      SIGNER,
      OTHER,
      [1n, 2n],
      [3n, 4n],
      '0xabcd',
    ]);
    expect(read(batch).call?.arguments.map(({ value }) => value)).toEqual([
      SIGNER,
      OTHER,
      ['1', '2'],
      ['3', '4'],
      '0xabcd',
    ]);
    expect(read(encode('setOSTC(string,string)', ['id', '{"ü":1}'])).call?.arguments[1]?.value).toBe(
      '{"ü":1}',
    );
  });
});

describe('warnings', () => {
  const cases: readonly [CallWarning, () => readonly CallWarning[]][] = [
    [CallWarning.ContractCreation, () => readCalldata({ value: 0n, data: '0x6001' }).warnings],
    [CallWarning.UnlimitedApproval, () => warningsOf('approve(address,uint256)', [OTHER, MAX])],
    [CallWarning.UnlimitedApproval, () => warningsOf('approve(address,uint256)', [OTHER, 2n ** 96n - 1n])],
    [CallWarning.UnlimitedApproval, () => warningsOf('increaseAllowance(address,uint256)', [OTHER, MAX])],
    [
      CallWarning.UnlimitedApproval,
      () =>
        warningsOf('permit(address,address,uint256,uint256,uint8,bytes32,bytes32)', [
          SIGNER,
          OTHER,
          MAX,
          1n,
          27,
          `0x${'11'.repeat(32)}`,
          `0x${'22'.repeat(32)}`,
        ]),
    ],
    [CallWarning.ApprovalForAll, () => warningsOf('setApprovalForAll(address,bool)', [OTHER, true])],
    [CallWarning.OwnershipChange, () => warningsOf('transferOwnership(address)', [OTHER])],
    [CallWarning.OwnershipChange, () => warningsOf('renounceOwnership()', [])],
    [CallWarning.ExecutorAdded, () => warningsOf('addExecutor(address)', [OTHER])],
    [
      CallWarning.MovesTokensOfOthers,
      () => warningsOf('transferFrom(address,address,uint256)', [OTHER, SIGNER, 1n]),
    ],
    [CallWarning.RecipientIsZero, () => warningsOf('transfer(address,uint256)', [NOBODY, 1n])],
    [
      CallWarning.RecipientIsZero,
      () => readCalldata({ from: SIGNER, to: NOBODY, value: 1n, data: '0x' }).warnings,
    ],
    [
      CallWarning.RecipientIsContract,
      () => warningsOf('safeTransferFrom(address,address,uint256)', [SIGNER, TOKEN, 1n]),
    ],
    [CallWarning.UnknownFunction, () => read('0xdeadbeef').warnings],
    [CallWarning.UnexpectedValue, () => warningsOf('transfer(address,uint256)', [OTHER, 1n], 1n)],
    [
      CallWarning.MalformedCalldata,
      () => read(`${encode('transfer(address,uint256)', [OTHER, 1n])}00`).warnings,
    ],
    [
      CallWarning.TooLongToExplain,
      () =>
        warningsOf('safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)', [
          SIGNER,
          OTHER,
          MANY,
          MANY,
          '0x',
        ]),
    ],
    [CallWarning.NothingToDo, () => read('0x').warnings],
  ];

  it.each(cases)('%s', (warning, warnings) => {
    expect(warnings()).toEqual([warning]);
  });

  it('every one of the list has a case', () => {
    const shown = new Set<string>([
      ...cases.map(([warning]) => warning),
      ...read('0xdeadbeef', 1n).warnings,
      ...read('0xdeadbeef', 0n, 'nonsense').warnings,
    ]);
    expect([...shown].sort()).toEqual(Object.values(CallWarning).sort());
  });

  it('value with bytes that nobody can explain', () => {
    expect(read('0xdeadbeef', 1n).warnings).toEqual([
      CallWarning.UnknownFunction,
      CallWarning.ValueWithUnknownFunction,
    ]);
    expect(read('0xdead', 1n).warnings).toContain(CallWarning.ValueWithUnknownFunction);
  });

  it('what is ordinary has none', () => {
    expect(read('0x', 1n)).toEqual({ kind: 'transfer', warnings: [] });
    expect(warningsOf('approve(address,uint256)', [OTHER, 1_000_000n])).toEqual([]);
    expect(warningsOf('setApprovalForAll(address,bool)', [OTHER, false])).toEqual([]);
    expect(warningsOf('transferFrom(address,address,uint256)', [SIGNER, OTHER, 1n])).toEqual([]);
    expect(warningsOf('safeTransferFrom(address,address,uint256)', [SIGNER, OTHER, 1n], 1n)).toEqual([]);
  });

  it('without a known signer tokens may be those of others', () => {
    const data = encode('transferFrom(address,address,uint256)', [SIGNER, OTHER, 1n]);
    expect(readCalldata({ to: TOKEN, value: 0n, data }).warnings).toEqual([CallWarning.MovesTokensOfOthers]);
  });

  it.each([
    ['one byte too few', (data: string) => data.slice(0, -2)],
    ['more after the end', (data: string) => `${data}${'00'.repeat(32)}`],
    ['an address with something before it', (data: string) => `${data.slice(0, 10)}01${data.slice(12)}`],
  ])('%s is not explained', (_name, bend) => {
    const reading = read(bend(encode('approve(address,uint256)', [OTHER, 1n])));
    expect(reading.call).toBeUndefined();
    expect(reading.warnings).toEqual([CallWarning.MalformedCalldata]);
  });
});

describe("an agent's claim", () => {
  const mint = encode('mint(address,uint256)', [OTHER, 7n]);

  it('that fits is shown as a claim, and the warning stays', () => {
    const { call, warnings } = read(mint, 0n, 'function mint(address to, uint256 id)');
    expect(call).toMatchObject({ name: 'mint', source: 'claimed', standards: [] });
    expect(call?.arguments).toEqual([
      { name: 'argument 1', type: 'address', value: OTHER },
      { name: 'argument 2', type: 'uint256', value: '7' },
    ]);
    expect(warnings).toEqual([CallWarning.UnknownFunction]);
  });

  it.each(['burn(address,uint256)', 'mint(address)', 'mint(address,uint256,bytes)', '<b>', ''])(
    '%s does not fit',
    (claim) => {
      const { call, warnings } = read(mint, 0n, claim);
      expect(call).toBeUndefined();
      expect(warnings).toContain(CallWarning.ClaimDoesNotFit);
    },
  );

  it('of more values than a person reads is not checked, and that is said', () => {
    const data = encode('drop(uint256[],uint256[])', [MANY, MANY]);
    expect(read(data, 0n, 'drop(uint256[],uint256[])')).toEqual({
      kind: 'call',
      selector: data.slice(0, 10),
      warnings: [CallWarning.UnknownFunction, CallWarning.TooLongToExplain],
    });
  });

  it('renames nothing that is known', () => {
    const { call } = read(
      encode('approve(address,uint256)', [OTHER, 1n]),
      0n,
      'claimReward(address,uint256)',
    );
    expect(call).toMatchObject({ name: 'approve', source: 'built-in' });
  });
});
