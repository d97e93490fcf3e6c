/** Every target, in the order in which they run. */
import { bundles } from './decoders/bundles.js';
import { canonical } from './decoders/canonical.js';
import { credentials } from './decoders/credentials.js';
import { documents } from './decoders/documents.js';
import { envelopes } from './decoders/envelopes.js';
import { evm } from './decoders/evm.js';
import { hello } from './decoders/hello.js';
import { network } from './decoders/network.js';
import { outbox } from './decoders/outbox.js';
import { policies } from './decoders/policies.js';
import { protobuf } from './decoders/protobuf.js';
import { environment } from './decoders/settings.js';
import { store } from './decoders/store.js';
import { addresses, tokens } from './decoders/tokens.js';
import { grpc } from './server/grpc.js';
import { http } from './server/http.js';
import { mcp } from './server/mcp.js';
import { pages } from './server/pages.js';
import { rawHttp } from './server/raw-http.js';
import { rawHttp2 } from './server/raw-http2.js';
import { socket } from './server/socket.js';
import { stdio } from './server/stdio.js';
import type { Target } from './target.js';

export const TARGETS: readonly Target[] = [
  protobuf,
  envelopes,
  policies,
  tokens,
  addresses,
  store,
  documents,
  outbox,
  environment,
  credentials,
  evm,
  bundles,
  canonical,
  network,
  hello,
  http,
  pages,
  rawHttp,
  grpc,
  rawHttp2,
  mcp,
  socket,
  stdio,
];
