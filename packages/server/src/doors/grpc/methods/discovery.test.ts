import { status } from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifies } from '../../../../../../test/conformance/verifies.js';
import { refusal } from '../../../../../../test/kit/refused.js';
import { startWorld, type World } from '../testing/world.test.helper.js';

const STANDARD = ['decision', 'handoff', 'proposal', 'quorum', 'task'].map((name) => `macp.mode.${name}.v1`);
const EVERY_MODE = [...STANDARD, 'ext.multi_round.v1'];
let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** A client without a credential: existing clients send none with these calls. */
const anybody = () => world.client();

describe('Initialize', () => {
  it(`${verifies('macp-2026:3.1:capabilities', 'macp-2026:3.1:modes')}says what is served, and promises no more`, async () => {
    const answer = await anybody().call('initialize', { supportedProtocolVersions: ['0.9', '1.0'] });
    expect(answer.selectedProtocolVersion).toBe('1.0');
    expect(answer.runtimeInfo).toMatchObject({ name: 'handover', version: world.deps.serverVersion });
    expect(answer.supportedModes).toEqual(expect.arrayContaining(EVERY_MODE));
    expect(answer.supportedModes).toHaveLength(EVERY_MODE.length);
    expect(answer.capabilities).toMatchObject({
      sessions: { stream: true, listSessions: true, watchSessions: true },
      cancellation: { cancelSession: true },
      progress: { progress: true },
      manifest: { getManifest: true },
      modeRegistry: { listModes: true, listChanged: true },
      roots: { listRoots: true, listChanged: false },
      policyRegistry: { registerPolicy: true, listPolicies: true, listChanged: true },
      experimental: { features: { ext_mode_lifecycle: 'true' } },
    });
  });

  it(`${verifies('macp-2026:3.1:version')}refuses no version and other versions`, async () => {
    const none = await refusal(anybody().call('initialize', {}));
    expect(none.code).toBe(status.INVALID_ARGUMENT);
    const other = await refusal(anybody().call('initialize', { supportedProtocolVersions: ['2.0'] }));
    expect(other.code).toBe(status.INVALID_ARGUMENT);
    expect(other.details).toMatch(/^UNSUPPORTED_PROTOCOL_VERSION/);
    const malformed = await refusal(anybody().raw('initialize', Uint8Array.of(0x0a, 0x05)));
    expect(malformed.code).toBe(status.INVALID_ARGUMENT);
  });

  it(`${verifies('macp-2026:3.1:read-only')}does not promise to register policies that come from files`, async () => {
    const fromFiles = await startWorld({ replace: { policiesFromFiles: true } });
    const { capabilities } = await fromFiles
      .client()
      .call('initialize', { supportedProtocolVersions: ['1.0'] });
    expect(capabilities?.policyRegistry).toMatchObject({ registerPolicy: false, listPolicies: true });
    await fromFiles.close();
  });
});

describe('GetManifest, ListModes, ListRoots', () => {
  it(`${verifies('macp-2026:3.8:manifest')}gives the manifest of the runtime under its id and under none`, async () => {
    for (const agentId of ['', 'handover']) {
      const { manifest } = await anybody().call('getManifest', { agentId });
      expect(manifest).toMatchObject({
        agentId: 'handover',
        supportedModes: expect.arrayContaining(EVERY_MODE),
        inputContentTypes: ['application/macp-envelope+proto'],
        outputContentTypes: ['application/macp-envelope+proto'],
        transportEndpoints: [],
      });
      expect(manifest?.description).not.toBe('');
    }
    const unknown = await refusal(anybody().call('getManifest', { agentId: 'somebody' }));
    expect(unknown.code).toBe(status.NOT_FOUND);
  });

  it('lists the built-in modes, one of them an extension, and no root', async () => {
    const { modes } = await anybody().call('listModes', {});
    expect(modes.map(({ mode, modeVersion }) => [mode, modeVersion])).toEqual(
      STANDARD.map((mode) => [mode, '1.0.0']),
    );
    expect(modes[1]?.messageTypes).toContain('HandoffOffer');
    const extensions = await anybody().call('listExtModes', {});
    expect(extensions.modes.map(({ mode }) => mode)).toEqual(['ext.multi_round.v1']);
    expect((await anybody().call('listRoots', {})).roots).toEqual([]);
  });
});
