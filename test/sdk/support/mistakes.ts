/** Mistakes that people make with the SDK, each with what makes it. Python makes the same ones: the ids are shared. */
import { createServer } from 'node:net';
import {
  Auth,
  buildDecisionPolicy,
  DecisionSession,
  HandoffSession,
  MacpClient,
  type MacpClientOptions,
  newSessionId,
} from 'macp-sdk-typescript';

/** What the mistakes are made against. */
export interface Servers {
  /** In dev mode, and takes one session start a minute of `hasty`. */
  readonly dev: { readonly grpc: string; readonly http: string };
  /** With TLS and tokens. */
  readonly tls: { readonly grpc: string; readonly ca: Uint8Array };
}

export interface Mistake {
  readonly id: string;
  readonly mistake: string;
  make(servers: Servers): Promise<unknown>;
}

const START = { intent: 'x', participants: ['bob', 'carol'], ttlMs: 60_000 };

async function withClient<T>(
  options: MacpClientOptions,
  act: (client: MacpClient) => Promise<T>,
): Promise<T> {
  const client = new MacpClient({ auth: Auth.devAgent('alice'), ...options });
  try {
    return await act(client);
  } finally {
    client.close();
  }
}

/** A call of a client that is made wrongly. */
const connecting = (of: (servers: Servers) => MacpClientOptions) => (servers: Servers) =>
  withClient(of(servers), (client) => client.listModes());

/** Something that is wrong in an open handoff from alice to bob. */
const inHandoff =
  (act: (session: HandoffSession, client: MacpClient) => Promise<unknown>) =>
  ({ dev }: Servers) =>
    withClient({ address: dev.grpc }, async (client) => {
      const session = new HandoffSession(client);
      await session.start(START);
      await session.offer({ handoffId: 'h1', targetParticipant: 'bob' });
      return act(session, client);
    });

const starting =
  (change: object, options: object = {}) =>
  ({ dev }: Servers) =>
    withClient({ address: dev.grpc }, (client) =>
      new HandoffSession(client, options).start({ ...START, ...change }),
    );

export const MISTAKES: readonly Mistake[] = [
  {
    id: 'address-is-url',
    mistake: 'a URL as address',
    make: connecting(() => ({ address: 'http://127.0.0.1:3100' })),
  },
  { id: 'address-without-port', mistake: 'no port', make: connecting(() => ({ address: 'localhost' })) },
  { id: 'address-blank', mistake: 'no address', make: connecting(() => ({ address: '' })) },
  {
    id: 'plaintext-elsewhere',
    mistake: 'plaintext to another machine',
    make: connecting(() => ({ address: 'runtime.example.com:50051', secure: false })),
  },
  {
    id: 'tls-against-plaintext',
    mistake: 'TLS to a server without it',
    make: connecting(({ dev }) => ({ address: dev.grpc, secure: true })),
  },
  {
    id: 'plaintext-against-tls',
    mistake: 'plaintext to a server with TLS',
    make: connecting(({ tls }) => ({ address: tls.grpc })),
  },
  {
    id: 'certificate-not-trusted',
    mistake: 'a certificate that nobody vouches for',
    make: connecting(({ tls }) => ({ address: tls.grpc, secure: true })),
  },
  {
    id: 'http-port',
    mistake: 'the HTTP port of the server',
    make: connecting(({ dev }) => ({ address: dev.http.replace('http://', '') })),
  },
  {
    id: 'server-down',
    mistake: 'nobody listens there',
    make: connecting(() => ({ address: '127.0.0.1:1' })),
  },
  {
    id: 'unknown-host',
    mistake: 'a name that does not exist',
    make: connecting(() => ({ address: 'runtime.invalid:50051', allowInsecure: true })),
  },
  { id: 'silent-server', mistake: 'something listens and says nothing', make: toSilence },
  {
    id: 'wrong-token',
    mistake: 'a token that the server does not know',
    make: ({ tls }) =>
      withClient(
        { address: tls.grpc, rootCertificates: tls.ca, auth: Auth.bearer('no such token', 'alice') },
        (client) => new HandoffSession(client).start(START),
      ),
  },
  {
    id: 'other-sender',
    mistake: 'a real token and the name of somebody else',
    make: ({ tls }) =>
      withClient(
        {
          address: tls.grpc,
          rootCertificates: tls.ca,
          auth: Auth.bearer('secret', { expectedSender: 'alice' }),
        },
        (client) => new HandoffSession(client).start({ ...START, sender: 'bob' }),
      ),
  },
  { id: 'nobody-takes-part', mistake: 'no participants', make: starting({ participants: [] }) },
  {
    id: 'only-the-owner',
    mistake: 'no target besides the owner',
    make: starting({ participants: ['alice'] }),
  },
  { id: 'ttl-in-seconds', mistake: 'a life of no length', make: starting({ ttlMs: 0 }) },
  { id: 'text-for-bytes', mistake: 'text where bytes are meant', make: starting({ context: 'all quiet' }) },
  {
    id: 'unknown-policy',
    mistake: 'a policy that nobody registered',
    make: starting({}, { policyVersion: 'policy.none' }),
  },
  {
    id: 'unlisted-target',
    mistake: 'an offer to somebody who does not take part',
    make: inHandoff((session) => session.offer({ handoffId: 'h2', targetParticipant: 'dave' })),
  },
  {
    id: 'second-offer',
    mistake: 'an offer while another is open',
    make: inHandoff((session) => session.offer({ handoffId: 'h2', targetParticipant: 'carol' })),
  },
  {
    id: 'not-the-target',
    mistake: 'an answer of somebody else than the target',
    make: inHandoff((session) => session.acceptHandoff({ handoffId: 'h1', sender: 'carol' })),
  },
  {
    id: 'outcome-unsaid',
    mistake: 'an action that says nothing of the outcome',
    make: inHandoff((session) => session.commit({ action: 'well.done' })),
  },
  {
    id: 'session-over',
    mistake: 'a message to a session that has ended',
    make: inHandoff(async (session) => {
      await session.cancel('over');
      return session.decline({ handoffId: 'h1', sender: 'bob' });
    }),
  },
  {
    id: 'id-used-again',
    mistake: 'a message id that stands for another message',
    make: inHandoff(async (session) => {
      await session.sendContext({ handoffId: 'h1', contentType: 'a/a', messageId: 'm1' });
      return session.sendContext({ handoffId: 'h1', contentType: 'b/b', messageId: 'm1' });
    }),
  },
  {
    id: 'unknown-session',
    mistake: 'the id of no session',
    make: ({ dev }) => withClient({ address: dev.grpc }, (client) => client.getSession(newSessionId())),
  },
  {
    id: 'policy-denied',
    mistake: 'a Commitment that the policy does not allow',
    make: ({ dev }) =>
      withClient({ address: dev.grpc }, async (client) => {
        const rules = { voting: { algorithm: 'unanimous' as const } };
        const { policyId: policyVersion, ...policy } = buildDecisionPolicy(
          'policy.mistake',
          'all say yes',
          rules,
        );
        await client.registerPolicy({ ...policy, policyId: policyVersion });
        const session = new DecisionSession(client, { policyVersion });
        await session.start(START);
        await session.propose({ proposalId: 'p1', option: 'go', sender: 'bob' });
        return session.commit({ action: 'option.selected', authorityScope: 's', reason: 'r' });
      }),
  },
  {
    id: 'too-large',
    mistake: 'more bytes than the server takes',
    make: inHandoff((session) => session.sendContext({ handoffId: 'h1', context: Buffer.alloc(2_000_000) })),
  },
  {
    id: 'too-often',
    mistake: 'more messages than the server takes in a minute',
    make: ({ tls }) =>
      withClient(
        { address: tls.grpc, rootCertificates: tls.ca, auth: Auth.bearer('secret', 'alice') },
        async (client) => {
          for (;;) await new HandoffSession(client).start({ ...START, deadlineMs: 2_000 });
        },
      ),
  },
  {
    id: 'client-closed',
    mistake: 'a call of a client that was closed',
    make: ({ dev }) =>
      withClient({ address: dev.grpc }, (client) => {
        client.close();
        return client.listModes();
      }),
  },
];

async function toSilence(): Promise<unknown> {
  const silent = createServer(() => {}).listen(0, '127.0.0.1');
  await new Promise((resolve) => silent.once('listening', resolve));
  const at = silent.address();
  try {
    const address = `127.0.0.1:${typeof at === 'object' && at ? at.port : 0}`;
    return await withClient({ address, defaultDeadlineMs: 200 }, (client) => client.listModes());
  } finally {
    silent.close();
  }
}
