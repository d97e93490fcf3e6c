import { expect, it } from 'vitest';
import { verifies } from '../../../test/conformance/verifies.js';
import { methods } from './methods.js';

/** Written down by hand: name, request, response; `*` marks a stream. */
const RPCS = `
Initialize InitializeRequest InitializeResponse
Send SendRequest SendResponse
StreamSession *StreamSessionRequest *StreamSessionResponse
GetSession GetSessionRequest GetSessionResponse
CancelSession CancelSessionRequest CancelSessionResponse
SuspendSession SuspendSessionRequest SuspendSessionResponse
ResumeSession ResumeSessionRequest ResumeSessionResponse
GetManifest GetManifestRequest GetManifestResponse
ListModes ListModesRequest ListModesResponse
WatchModeRegistry WatchModeRegistryRequest *WatchModeRegistryResponse
ListRoots ListRootsRequest ListRootsResponse
WatchRoots WatchRootsRequest *WatchRootsResponse
ListExtModes ListExtModesRequest ListExtModesResponse
RegisterExtMode RegisterExtModeRequest RegisterExtModeResponse
UnregisterExtMode UnregisterExtModeRequest UnregisterExtModeResponse
PromoteMode PromoteModeRequest PromoteModeResponse
WatchSignals WatchSignalsRequest *WatchSignalsResponse
ListSessions ListSessionsRequest ListSessionsResponse
WatchSessions WatchSessionsRequest *WatchSessionsResponse
RegisterPolicy RegisterPolicyRequest RegisterPolicyResponse
UnregisterPolicy UnregisterPolicyRequest UnregisterPolicyResponse
GetPolicy GetPolicyRequest GetPolicyResponse
ListPolicies ListPoliciesRequest ListPoliciesResponse
WatchPolicies WatchPoliciesRequest *WatchPoliciesResponse
WhatIfReplay WhatIfReplayRequest WhatIfReplayResponse
GetDecisionReceipt GetDecisionReceiptRequest GetDecisionReceiptResponse
GetReceiptKeys GetReceiptKeysRequest GetReceiptKeysResponse
`;

it(`${verifies('macp-2026:1:methods')}has the 27 RPCs in their kinds`, () => {
  const lines = Object.values(methods).map(({ name, input, output, requestStream, responseStream }) =>
    [name, `${requestStream ? '*' : ''}${input.name}`, `${responseStream ? '*' : ''}${output.name}`].join(
      ' ',
    ),
  );
  expect(lines).toHaveLength(27);
  expect(lines).toEqual(RPCS.trim().split('\n'));
});

it('keys them by small first letter and knows their paths', () => {
  expect(methods.streamSession.path).toBe('/macp.v1.MACPRuntimeService/StreamSession');
  for (const [key, { name, path }] of Object.entries(methods)) {
    expect(key.toLowerCase()).toBe(name.toLowerCase());
    expect(path).toBe(`/macp.v1.MACPRuntimeService/${name}`);
  }
});
