/** Who is asking, as the credential says. Nothing on the wire can change any of it. */
export interface Principal {
  readonly tenant: string;
  /** The authenticated sender id. */
  readonly agent: string;
  /** Modes this identity may use; undefined: all. An empty set: none. */
  readonly allowedModes?: ReadonlySet<string>;
  readonly canStartSessions: boolean;
  readonly canManageModeRegistry: boolean;
  readonly isObserver: boolean;
  /** Undefined: unlimited. */
  readonly maxOpenSessions?: number;
  /** MCP and operation scopes; MACP RPCs use the flags above. */
  readonly scopes: ReadonlySet<string>;
  /** Its scopes stand in a JWT: the client can get one with more of them from the issuer. */
  readonly canAskForScopes?: boolean;
  /** From then on the credential is refused, and what was opened with it ends. Absent: it has no such time. */
  readonly validUntil?: number;
  /** Dev mode: nobody checked that the caller is who it says. */
  readonly isAssumed?: true;
  /** How it got its name, where it could have another one: a refusal then says how. */
  readonly nameFrom?: NameFrom;
  /** Only for a caller whose name nobody chose. */
  readonly unnamed?: Unnamed;
}

export type NameFrom =
  /** Dev mode: the bearer is the name. */
  | 'bearer'
  /** `handover mcp --agent`, or the connection has named itself since. */
  | 'flag'
  /** `handover mcp` without a name: the MCP client's own name stands in. */
  | 'client'
  /** Dev mode without a bearer: the default agent stands in. */
  | 'nobody';

export interface Unnamed {
  /** Is stored with the sessions that it registers: by it they are known as its own, also after a restart. */
  readonly mark: string;
  /** Of a connection that may still name itself. A request in dev mode stands alone and keeps no name. */
  readonly naming?: Naming;
}

export interface Naming {
  /** Reserves the name. False: another connection has it, or this one is just taking another. */
  claim(agent: string): boolean;
  /** The connection has this name from now on. */
  settle(agent: string): void;
  /** Gives back what was claimed. */
  release(): void;
}

/** What a door found on the wire; the door neither parses nor judges it. */
export interface Credentials {
  /** The `authorization` header, whole. */
  readonly authorization?: string;
  /** The `x-macp-token` header (static tokens only). */
  readonly macpToken?: string;
  /** Name from a verified client certificate, when mTLS is on. */
  readonly clientCertificate?: ClientCertificate;
  /** The address of this server that the request was sent to, as its metadata says it to clients that ask for tokens. */
  readonly resource?: string;
}

/** The names in a client certificate that TLS has verified. */
export interface ClientCertificate {
  readonly uriNames: readonly string[];
  readonly dnsNames: readonly string[];
  readonly commonName?: string;
}

/** Deny by default: undefined credentials or a failed check give a reason, never a principal. */
export type Authentication =
  | { readonly ok: true; readonly principal: Principal }
  /** The message says what is wrong without repeating the credential. */
  | { readonly ok: false; readonly message: string };

export interface Authenticator {
  /** For the ready line: `dev`, `static`, `jwt`, `mtls`, joined by `+`. */
  readonly name: string;
  authenticate(credentials: Credentials): Authentication | Promise<Authentication>;
  /** Dev mode only: who an HTTP or MCP request without any credential is. The gRPC door never asks. */
  readonly anonymous?: Principal;
}
