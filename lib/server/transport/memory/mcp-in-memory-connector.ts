import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { completeClaims, type GivenClaims } from '../../../core/oauth/access-token.js';
import type { RefusalRecorder } from '../../audit/refusal-recorder.js';
import { admitCaller } from '../../auth/auth-routes.js';
import { describeRefusal, isRefusal } from '../../auth/auth-refusal.js';
import type { McpAuthenticator } from '../../auth/mcp-authenticator.js';
import { buildAuthentication } from '../../auth/validators/build-authentication.js';
import type { Authentication } from '../../context/authentication.js';
import type { DuplexConnection, DuplexConnections } from '../duplex/duplex-connection.js';
import { type DuplexCaller, traceMessage, type WriteMessage } from '../duplex/duplex-parts.js';

/** The caller: a `token`, which is validated, or `claims`, which are trusted. */
export interface LocalCaller {
  readonly token?: string;
  readonly claims?: GivenClaims;
}

/**
 * Connects clients in the server's process, without a socket.
 *
 * @example
 * constructor(private readonly connector: McpInMemoryConnector) {}
 *
 * async connect(client: Client) {
 *   await client.connect(await this.connector.connect({ claims: { sub: 'ada', scopes: ['desk:read'] } }));
 * }
 */
export class McpInMemoryConnector implements OnModuleInit, OnApplicationShutdown {
  readonly #open = new Set<InMemoryTransport>();
  #isReady = false;

  constructor(
    private readonly connections: DuplexConnections,
    private readonly authenticator: McpAuthenticator,
    private readonly refusals: RefusalRecorder,
  ) {}

  /** Whether the application is initialized and the handlers are registered. */
  get isReady(): boolean {
    return this.#isReady;
  }

  onModuleInit(): void {
    this.#isReady = true;
  }

  /**
   * Creates a transport for a client. The caller is authorized as over HTTP.
   *
   * @throws {AuthError} if the token is missing or invalid, or lacks one of `auth.requiredScopes`
   */
  async connect(caller: LocalCaller = {}): Promise<InMemoryTransport> {
    const authentication = await this.#admit(caller);
    const { tracing } = this.authenticator;
    const transport: InMemoryTransport = new InMemoryTransport(
      {
        open: (write) => {
          this.#open.add(transport);
          return this.connections.open(write);
        },
        closed: () => void this.#open.delete(transport),
      },
      {
        authentication,
        trace: (request) => tracing && traceMessage(tracing, request, authentication),
      },
    );
    return transport;
  }

  /** Notifies the clients that the server has shut down. */
  async onApplicationShutdown(): Promise<void> {
    for (const transport of this.#open) await transport.close();
  }

  /** Authorizes a caller in the same way as the endpoint's guard. */
  async #admit(caller: LocalCaller): Promise<Authentication | undefined> {
    const { isConfigured, challenges, routes } = this.authenticator;
    let authentication: Authentication | undefined;
    try {
      authentication = await this.#authenticate(caller);
      if (isConfigured) admitCaller(challenges, authentication, routes.endpoint);
      return authentication;
    } catch (error) {
      if (isRefusal(error))
        void this.refusals.record({ ...describeRefusal(error), status: undefined, authentication });
      throw error;
    }
  }

  async #authenticate({ token, claims }: LocalCaller): Promise<Authentication | undefined> {
    if (token !== undefined) return this.authenticator.authenticate(token);
    if (claims === undefined) return undefined;
    const name = JSON.stringify(claims);
    return buildAuthentication({
      method: 'custom',
      claims: completeClaims(claims),
      token: name,
      takesDpop: true,
    });
  }
}

/** A JSON-RPC message, as typed in any library's client. */
export type ClientMessage = object;

/** The server's side of a transport. */
export interface ServerEnd {
  /** Connects the client. */
  open(write: WriteMessage): DuplexConnection;
  /** Called when the connection ends. */
  closed(): void;
}

/**
 * Connects an official client to a server in the same process, as a transport. Messages are serialized to JSON and
 * parsed, as on any other transport.
 *
 * @example
 * const client = new Client({ name: 'test', version: '1.0.0' });
 * await client.connect(await connector.connect());
 */
export class InMemoryTransport {
  /** Called with each message from the server. */
  onmessage?(message: ClientMessage): void;
  /** Called when the connection is closed. */
  onclose?: () => void;
  /** Called when a message could not be handled. */
  onerror?: (error: Error) => void;
  #connection: DuplexConnection | undefined;

  constructor(
    private readonly server: ServerEnd,
    private readonly caller: DuplexCaller,
  ) {}

  /** Opens the connection. */
  start(): Promise<void> {
    this.#connection ??= this.server.open(({ json }) => this.#deliver(json));
    return Promise.resolve();
  }

  /**
   * Sends a message to the server.
   *
   * @throws {TypeError} if the connection is not open, or the message cannot be serialized
   */
  send(message: ClientMessage): Promise<void> {
    return new Promise((resolve) => {
      if (this.#connection === undefined) throw new TypeError('The connection is not open');
      this.#connection.receiveText(JSON.stringify(message), this.caller);
      resolve();
    });
  }

  /** Closes the connection and cancels its running calls. */
  close(): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection === undefined) return Promise.resolve();
    connection.close('The client is gone');
    this.server.closed();
    this.onclose?.();
    return Promise.resolve();
  }

  /** As over a network, the receiver never runs inside the sender's call. */
  #deliver(json: string): void {
    queueMicrotask(() => {
      if (this.#connection !== undefined) this.onmessage?.(JSON.parse(json) as ClientMessage);
    });
  }
}
