import type { OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { completeClaims, type GivenClaims } from '../../../core/oauth/claims.js';
import type { RefusalRecorder } from '../../audit/refusal-recorder.js';
import { admitCaller } from '../../auth/auth-routes.js';
import { describeRefusal, isRefusal } from '../../auth/auth-refusal.js';
import type { McpAuthenticator } from '../../auth/mcp-authenticator.js';
import { buildAuthentication } from '../../auth/validators/build-authentication.js';
import type { Authentication } from '../../context/authentication.js';
import type { DuplexConnections } from '../duplex/duplex-connections.js';
import { traceMessage } from '../duplex/trace-message.js';
import { InMemoryTransport } from './in-memory-transport.js';

/** The caller: a `token`, which is validated, or `claims`, which are trusted. */
export interface LocalCaller {
  readonly token?: string;
  readonly claims?: GivenClaims;
}

/**
 * Connects clients in the server's own process, without a socket.
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

  /** Whether the application is initialized, so that the server has its handlers. */
  get isReady(): boolean {
    return this.#isReady;
  }

  onModuleInit(): void {
    this.#isReady = true;
  }

  /**
   * Creates a transport for a client. The server checks the caller's rights, as over HTTP.
   *
   * @throws {AuthError} if the token is missing or not valid, or lacks one of `auth.requiredScopes`
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

  /** Tells the clients that the server has ended. */
  async onApplicationShutdown(): Promise<void> {
    for (const transport of this.#open) await transport.close();
  }

  /** Checks a caller in the same way as the guard of the endpoint. */
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
