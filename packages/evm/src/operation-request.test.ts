import { checksum } from 'ox/Address';
import { describe, expect, it } from 'vitest';
import { validateOperation } from './operation-request.js';
import { validateSessionStart } from './xdala/session-start.js';

const RIGHT = checksum('0x70997970c51812dc3a010c7d01b50e0d17dc79c8');
/** One digit of the right one is another. */
const WRONG = RIGHT.replace('0x7', '0x8');
const flaws = (txRequest: object) =>
  validateOperation({}, [{ id: 'pay', txRequest: { ...txRequest } }]).errors.map(
    ({ code, path, message }) => ({ code, path, message }),
  );

describe('review:H10 an address whose checksum is wrong', () => {
  it.each(['to', 'from'])('review:H10 is refused as %s, with the reason', (key) => {
    expect(flaws({ to: RIGHT, [key]: WRONG })).toEqual([
      {
        code: `TX_${key.toUpperCase()}_INVALID`,
        path: `steps.0.txRequest.${key}`,
        message: expect.stringMatching(/checksum \(EIP-55\)/),
      },
    ]);
  });

  it('review:H10 all small, all capital and right letters pass', () => {
    const digits = WRONG.slice(2);
    for (const to of [RIGHT, `0x${digits.toLowerCase()}`, `0x${digits.toUpperCase()}`])
      expect(flaws({ to }), to).toEqual([]);
  });

  it('review:H10 is refused in a session start', () => {
    const session = { ostcId: 'a', stepId: 'b', payload: {}, maxTotalGas: 0 };
    const request = {
      type: 'xdala_session_start',
      version: 'xgr-session-start@1',
      sessions: [{ ...session, orchestration: WRONG, starterAddress: WRONG }],
    };
    const codes = validateSessionStart(request).errors.map(({ code }) => code);
    expect(codes).toEqual(expect.arrayContaining(['ORCHESTRATION_INVALID', 'STARTER_INVALID']));
  });
});

describe('operations:O5 what a transaction may hold', () => {
  it('operations:O5 coins with a decimal point are told in wei', () => {
    expect(flaws({ to: RIGHT, value: '0.01' })).toMatchObject([
      { code: 'TX_QUANTITY_INVALID', message: expect.stringContaining('0.01 coins are "10000000000000000"') },
    ]);
    expect(flaws({ to: RIGHT, value: 1.5 })[0]?.message).toContain('"1500000000000000000"');
    expect(flaws({ to: RIGHT, nonce: '1.5' })[0]?.message).not.toContain('wei');
  });

  it('operations:O5 a field that the page cannot show is refused', () => {
    expect(flaws({ to: RIGHT, amount: '1' })).toMatchObject([
      {
        code: 'TX_FIELD_UNKNOWN',
        path: 'steps.0.txRequest.amount',
        message: expect.stringContaining('value'),
      },
    ]);
    expect(flaws({ to: RIGHT, authorizationList: [] })).toMatchObject([{ code: 'TX_FIELD_UNKNOWN' }]);
    expect(flaws({ to: RIGHT, chainId: 1, type: '0x2', gasLimit: '21000', input: '0x' })).toEqual([]);
  });
});
