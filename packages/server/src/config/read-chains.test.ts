import { describe, expect, it } from 'vitest';
import { isChainSetting, readChainSettings } from './read-chains.js';

describe('settings of chains', () => {
  it('without any there is no RPC, and three confirmations', () => {
    const { settings, problems } = readChainSettings({ HANDOVER_RPC_URL_1: '', PATH: '/bin' });
    expect(problems).toEqual([]);
    expect(settings).toMatchObject({ confirmations: 3, rpcs: new Map(), publicRpcs: new Map() });
    expect(settings.xgrRpc).toBeUndefined();
  });

  it('keeps own and public RPC apart', () => {
    const { settings, problems } = readChainSettings({
      XGR_RPC_URL: 'https://rpc.example/key',
      HANDOVER_RPC_URL_31337: 'http://127.0.0.1:8545',
      HANDOVER_RPC_URL_5: 'https://user:secret@rpc.example',
      HANDOVER_PUBLIC_RPC_URL_5: 'https://public.example/rpc',
      HANDOVER_CONFIRMATIONS: '12',
      HANDOVER_XRC137_CODE_1643: '0x60AB',
      HANDOVER_XRC729_CODE_1643: '0x61',
    });
    expect(problems).toEqual([]);
    expect(settings.xgrRpc?.href).toBe('https://rpc.example/key');
    expect([...settings.rpcs.keys()].sort()).toEqual([31_337, 5]);
    expect([...settings.publicRpcs]).toEqual([[5, 'https://public.example/rpc']]);
    expect(settings.confirmations).toBe(12);
    expect(settings.creationCode.get(1643)).toEqual({ xrc137: '0x60ab', xrc729: '0x61' });
  });

  it('review:2.1 takes contracts of smart accounts by chain', () => {
    const [first, second] = [`0x${'Ab'.repeat(20)}`, `0x${'12'.repeat(20)}`];
    const { settings, problems } = readChainSettings({
      HANDOVER_ENTRYPOINTS_5: `${first}, ${second}`,
      HANDOVER_SAFE_SINGLETONS_7: second,
    });
    expect(problems).toEqual([]);
    expect(settings.smartAccounts.entryPoints).toEqual(new Map([[5, [first.toLowerCase(), second]]]));
    expect(settings.smartAccounts.safeSingletons).toEqual(new Map([[7, [second]]]));
  });

  it.each([
    ['HANDOVER_ENTRYPOINTS_1', '0x12'],
    ['HANDOVER_ENTRYPOINTS_1', `0x${'12'.repeat(20)},`],
    ['HANDOVER_SAFE_SINGLETONS_1', Array.from({ length: 17 }, () => `0x${'12'.repeat(20)}`).join()],
    ['XGR_RPC_URL', 'http://rpc.example'],
    ['XGR_RPC_URL', 'not a URL'],
    ['HANDOVER_RPC_URL_1', 'file:///etc/passwd'],
    ['HANDOVER_RPC_URL_1', 'http://10.0.0.1:8545'],
    ['HANDOVER_RPC_URL_', 'https://rpc.example'],
    ['HANDOVER_RPC_URL_0', 'https://rpc.example'],
    ['HANDOVER_RPC_URL_99999999999999999999', 'https://rpc.example'],
    ['HANDOVER_PUBLIC_RPC_URL_1', 'https://user:hunter2@rpc.example'],
    ['HANDOVER_CONFIRMATIONS', '0'],
    ['HANDOVER_CONFIRMATIONS', '-1'],
    ['HANDOVER_CONFIRMATIONS', '1e3'],
    ['HANDOVER_XRC137_CODE_1', '0xabc'],
    ['HANDOVER_XRC729_CODE_1', '0x'],
  ])('%s=%s is a problem that repeats no value', (name, value) => {
    const { settings, problems } = readChainSettings({ [name]: value });
    expect(problems.map((problem) => problem.name)).toEqual([name]);
    if (value.length > 5) expect(JSON.stringify(problems)).not.toContain(value.slice(-8));
    expect(settings.rpcs.size + settings.publicRpcs.size + settings.creationCode.size).toBe(0);
    expect(settings.smartAccounts).toEqual({ entryPoints: new Map(), safeSingletons: new Map() });
  });

  it('knows its own names', () => {
    for (const name of ['XGR_RPC_URL', 'HANDOVER_CONFIRMATIONS', 'HANDOVER_PUBLIC_RPC_URL_1'])
      expect(isChainSetting(name)).toBe(true);
    for (const name of ['HANDOVER_RPC_URL_X', 'HANDOVER_RPC', 'MACP_BIND_ADDR'])
      expect(isChainSetting(name)).toBe(false);
  });
});
