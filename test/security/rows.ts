/** The threats that a reviewer looks for first, and the test that shows each mitigation. */
export interface Threat {
  readonly surface: string;
  readonly threat: string;
  readonly mitigation: string;
  /** Path of the test file; or since when there is none, and why there cannot be one yet. */
  readonly test: string | { readonly since: string; readonly reason: string };
}

export const threats: readonly Threat[] = [
  {
    surface: 'All',
    threat: 'sender spoofing',
    mitigation: 'the sender is the subject of the credential; an envelope that names another is refused',
    test: 'test/security/spoofing.test.ts',
  },
  {
    surface: 'All',
    threat: 'replay by the thief of a token',
    mitigation: 'JWTs: expiry, audience, issuer and an allow-list of algorithms without none and HS256',
    test: 'test/security/jwt.test.ts',
  },
  {
    surface: 'All',
    threat: 'session enumeration',
    mitigation: "lists and watches show the caller's own sessions; another tenant's look unknown",
    test: 'test/conformance/visibility.test.ts',
  },
  {
    surface: 'All',
    threat: 'denial of service by a slow reader',
    mitigation: 'a byte budget per subscriber; beyond it the stream ends, resumably',
    test: 'test/streams/slow-consumer.test.ts',
  },
  {
    surface: 'gRPC',
    threat: 'denial of service by connections, calls and HTTP/2 frames without a credential',
    mitigation:
      'they have one allowance for an address, counted before anything waits; beyond it connections are cut',
    test: 'test/hardening/grpc-connections.test.ts',
  },
  {
    surface: 'gRPC',
    threat: 'one turn of the event loop that reads many frames',
    mitigation:
      'none before the connections are cut, which is looked at ten times a second: up to 2 MiB of each are read in a turn',
    test: {
      since: '2026-11-16',
      reason:
        'Node reads a connection of HTTP/2 outside JavaScript, up to 32 times 64 KiB in a turn, and offers no way to read less',
    },
  },
  {
    surface: 'Local socket',
    threat: 'denial of service by lines that never end',
    mitigation: 'they have one budget for an agent and in all, and a time limit; connections are bounded',
    test: 'test/hardening/local-socket-lines.test.ts',
  },
  {
    surface: 'All',
    threat: 'leaks through logs, metrics and errors',
    mitigation: 'no payload and no credential is ever written there',
    test: 'test/security/leaks.test.ts',
  },
  {
    surface: 'gRPC',
    threat: 'oversized and malformed frames',
    mitigation: 'refused before they are read, the connection goes on',
    test: 'test/conformance/transport.test.ts',
  },
  {
    surface: 'gRPC',
    threat: 'plaintext and downgrade',
    mitigation: 'TLS 1.2 or newer; plaintext only on loopback and only when asked for',
    test: 'test/security/tls.test.ts',
  },
  {
    surface: 'gRPC/HTTP/MCP',
    threat: 'policy enforced on one path only',
    mitigation: 'one accept path behind every door, streams included',
    test: 'test/security/equivalence.test.ts',
  },
  {
    surface: 'HTTP',
    threat: 'cross-site requests and DNS rebinding',
    mitigation: 'Host and Origin allow-list, JSON content type, no CORS header, on every route',
    test: 'test/security/cross-site.test.ts',
  },
  {
    surface: 'Streams',
    threat: 'an outsider subscribes',
    mitigation: 'membership is judged before anything is bound; sending is not reading',
    test: 'test/streams/outsider.test.ts',
  },
  {
    surface: 'Storage',
    threat: 'file disclosure',
    mitigation: 'the folder is 0700 and every file in it 0600',
    test: 'test/security/files.test.ts',
  },
  {
    surface: 'Storage',
    threat: 'a folder that another user owns or can write to, used by commands and hooks',
    mitigation:
      'nothing in it is believed: no event, no token and no socket; all that act on a data folder ask one function',
    test: 'test/security/folders-of-others.test.ts',
  },
  {
    surface: 'Storage',
    threat: 'tampering',
    mitigation: 'a hash chain per stream; verify names any changed value',
    test: 'packages/server/src/proof/stream-audit.test.ts',
  },
  {
    surface: 'Ops',
    threat: 'dev mode in production',
    mitigation: 'loopback only, a banner, not beside credentials, not on their data',
    test: 'test/cli/serve-refusals.test.ts',
  },
  {
    surface: 'MCP',
    threat: 'DNS rebinding on localhost',
    mitigation: 'Host and Origin allow-list, authentication even on localhost',
    test: 'test/mcp/transport.test.ts',
  },
  {
    surface: 'MCP',
    threat: 'leak between clients',
    mitigation: 'a server and a transport per session',
    test: 'test/mcp/isolation.test.ts',
  },
  {
    surface: 'MCP',
    threat: 'injection through the text of a handoff',
    mitigation: 'foreign text is data with provenance, never a description or an instruction',
    test: 'test/security/handoff-text.test.ts',
  },
  {
    surface: 'Outbound',
    threat: 'server-side request forgery',
    mitigation: 'only URLs of the operator, https, no private ranges, no redirects',
    test: 'test/security/outbound.test.ts',
  },
  {
    surface: 'Capability URL',
    threat: 'leak of a link',
    mitigation: 'a secret in the fragment, hashed at rest, for one record and its time, ended by cancelling',
    test: 'test/security/capability-url.test.ts',
  },
  {
    surface: 'Page',
    threat: 'script injection signs something else',
    mitigation: 'content security policy, trusted types, text nodes only',
    test: 'test/e2e/attacks.test.ts',
  },
  {
    surface: 'Page',
    threat: 'what is shown is not what is signed',
    mitigation: 'rendered from the logged bytes, with the digest that the agent shows, too',
    test: 'test/e2e/attacks.test.ts',
  },
  {
    surface: 'Page',
    threat: 'forged status',
    mitigation: 'what a browser reports is a claim; the chain is asked',
    test: 'test/operations/attacks.test.ts',
  },
];
