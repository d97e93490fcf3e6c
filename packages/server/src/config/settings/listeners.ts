/** Where the server listens, and under which names it may be called. */
import type { Setting } from '../setting.js';

export const listenerSettings = [
  {
    name: 'MACP_BIND_ADDR',
    kind: 'address',
    default: '127.0.0.1:50051',
    description: 'Where gRPC listens; port 0 picks a free one.',
  },
  {
    name: 'MCP_HTTP_HOST',
    kind: 'host',
    default: '127.0.0.1',
    description: 'Where HTTP listens: an IP address, or localhost.',
  },
  {
    name: 'MCP_HTTP_PORT',
    kind: 'integer',
    default: '3100',
    min: 0,
    max: 65_535,
    description: 'Port of HTTP; 0 picks a free one.',
  },
  {
    name: 'MACP_METRICS_ADDR',
    kind: 'address',
    default: '',
    description: 'A listener of its own for Prometheus metrics.',
  },
  {
    name: 'HANDOVER_ALLOWED_HOSTS',
    kind: 'list',
    default: 'localhost,127.0.0.1,[::1]',
    description: 'Host names by which HTTP may be called, without ports; those of loopback always may.',
  },
  {
    name: 'HANDOVER_ALLOWED_ORIGINS',
    kind: 'list',
    default:
      'http://localhost:*,http://127.0.0.1:*,http://[::1]:*,https://localhost:*,https://127.0.0.1:*,https://[::1]:*',
    description: 'Web origins that may call HTTP; `:*` stands for any port.',
  },
  {
    name: 'HANDOVER_TRUSTED_PROXY',
    kind: 'cidr',
    default: '',
    description:
      'Addresses of the proxy in front of HTTP; without TLS only they and loopback are served, and X-Forwarded-For is believed from them.',
  },
] as const satisfies readonly Setting[];
