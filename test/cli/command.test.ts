import { describe, expect, it } from 'vitest';
import { handover } from '../kit/handover-command.js';

describe('handover', () => {
  it('says what it can do', async () => {
    const help = handover(['--help']);
    expect(await help.exited).toBe(0);
    for (const command of ['serve', 'export', 'receipt', 'verify'])
      expect(help.stdout).toContain(`\n  ${command} `);
    expect(help.stderr).toBe('');
  });

  it('says which settings serve takes', async () => {
    const help = handover(['serve', '--help']);
    expect(await help.exited).toBe(0);
    for (const word of ['--dev', 'MACP_BIND_ADDR', 'HANDOVER_DATA_DIR', 'MACP_AUTH_TOKENS_JSON'])
      expect(help.stdout).toContain(word);
    expect(help.stdout).toMatch(/MACP_SESSION_START_LIMIT_PER_MINUTE .*\[60; with --dev 6000\]/);
    expect(help.stdout).toMatch(/HANDOVER_QUOTA_BYTES_AGENT .*\[1073741824\]/);
  });

  it('says its version', async () => {
    const version = handover(['--version']);
    expect(await version.exited).toBe(0);
    expect(version.stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it.each([['nonsense'], ['serve', '--nonsense'], ['serve', '--bind']])('refuses %s %s', async (...args) => {
    const wrong = handover(args);
    expect(await wrong.exited).toBe(2);
    expect(wrong.stdout).toBe('');
    expect(wrong.stderr).toContain('--help');
  });
});
