/** What the bytes of a request are warned of. */
import { ACCOUNT, approveData, call, OTHER, operation, step, TOKEN, transferData } from '../records.js';
import { type State, shows } from './scene.js';

/** Two lists of them are more than a page explains. */
const MANY = Array.from({ length: 2_500 }, () => 1n);

export const warnings: readonly State[] = [
  {
    name: 'operation-warnings',
    prepare: shows(() =>
      operation({
        type: 'mixed',
        summary: { title: 'Claim your reward\u202e of 0 ETH' },
        steps: [
          step('a', 'Harmless step', { to: TOKEN, data: approveData(OTHER) }),
          step('b', 'Get reward', { to: OTHER, value: '1000000000000000000', data: '0xdeadbeef' }),
          step('c', 'Set up', { data: '0x6001600055', gas: '100000' }),
          step('d', 'Move', { to: TOKEN, data: transferData(TOKEN, 5n) }),
        ],
      }),
    ),
  },
  {
    name: 'operation-more-warnings',
    prepare: shows(() =>
      operation({
        type: 'mixed',
        summary: { title: 'Many things at once', signatures: { h: 'mint(address,uint256)' } },
        steps: [
          step('a', 'Collection', {
            to: TOKEN,
            data: call('setApprovalForAll(address,bool)', [OTHER, true]),
          }),
          step('b', 'New owner', { to: TOKEN, data: call('transferOwnership(address)', [OTHER]) }),
          step('c', 'Helper', { to: TOKEN, data: call('addExecutor(address)', [OTHER]) }),
          step('d', 'Collect', {
            to: TOKEN,
            data: call('transferFrom(address,address,uint256)', [OTHER, ACCOUNT, 5n]),
          }),
          step('e', 'Burn', { to: TOKEN, value: '5', data: transferData(`0x${'0'.repeat(40)}`, 5n) }),
          step('f', 'Broken', { to: TOKEN, data: '0xa9059cbb00' }),
          step('g', 'Nothing', { to: OTHER }),
          step('h', 'Mint', { to: TOKEN, data: '0xdeadbeef' }),
          step('i', 'Drop', {
            to: TOKEN,
            data: call('safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)', [
              ACCOUNT,
              OTHER,
              MANY,
              MANY,
              '0x',
            ]),
          }),
        ],
      }),
    ),
  },
];
