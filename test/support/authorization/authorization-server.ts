import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errors, Provider, type Adapter, type AdapterPayload, type Configuration } from 'oidc-provider';
import { within } from '../until.js';

/** Who may ask about tokens; its secret has what a form has to encode. */
export const INTROSPECTOR = { clientId: 'desk:api', clientSecret: 'a secret/of the desk+with 100%' };

/** A machine that gets tokens. */
const MACHINE = { clientId: 'desk-job', clientSecret: 'the-secret-of-a-machine' };

const SCOPES = 'desk:read desk:write';

interface ServerOptions {
  /** The resources that tokens may be for. */
  readonly resources: readonly string[];
}

/** `oidc-provider` on a free port of 127.0.0.1: it gives opaque tokens to a machine, for the resource that this names. */
export class AuthorizationServer {
  private constructor(
    private readonly server: Server,
    readonly issuer: string,
    private readonly port: number,
  ) {}

  static async start(options: ServerOptions): Promise<AuthorizationServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const issuer = `http://127.0.0.1:${port}`;
    const answer = new Provider(issuer, buildConfiguration(options)).callback();
    server.on('request', (request, response) => void answer(request, response));
    return new AuthorizationServer(server, issuer, port);
  }

  /** Gets a token by the grant `client_credentials`. */
  async issue(resource: string, scope = SCOPES): Promise<string> {
    const form = { grant_type: 'client_credentials', resource, scope };
    const response = await this.#post('/token', form);
    const { access_token: token } = (await response.json()) as { readonly access_token?: string };
    if (token === undefined) throw new Error(`No token was issued: ${response.status}`);
    return token;
  }

  async revoke(token: string): Promise<void> {
    await this.#post('/token/revocation', { token });
  }

  /** Stops without waiting for connections. */
  async stop(): Promise<void> {
    if (!this.server.listening) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await within(closed, 'the end of the authorization server');
  }

  /** Listens again where it did before it was stopped. */
  async resume(): Promise<void> {
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
  }

  #post(path: string, form: Readonly<Record<string, string>>): Promise<Response> {
    const credentials = Buffer.from(`${MACHINE.clientId}:${MACHINE.clientSecret}`).toString('base64');
    return fetch(this.issuer + path, {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}` },
      body: new URLSearchParams(form),
    });
  }
}

function buildConfiguration({ resources }: ServerOptions): Configuration {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    adapter: MemoryAdapter,
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
    ttl: { ClientCredentials: 600 },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    clients: [INTROSPECTOR, MACHINE].map(({ clientId, clientSecret }) => ({
      client_id: clientId,
      client_secret: clientSecret,
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    })),
    scopes: SCOPES.split(' '),
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      introspection: {
        enabled: true,
        allowedPolicy: (_context, { clientId }) => clientId === INTROSPECTOR.clientId,
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_context, client, token) => client.clientId === token.clientId,
      },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, resource) => {
          if (!resources.includes(resource)) throw new errors.InvalidTarget();
          return { audience: resource, scope: SCOPES, accessTokenFormat: 'opaque' };
        },
      },
    },
  };
}

/** Keeps what the provider has to remember of one kind; codes, users and grants are not among it here. */
class MemoryAdapter implements Adapter {
  readonly #entries = new Map<string, AdapterPayload>();

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    this.#entries.set(id, payload);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return this.#entries.get(id);
  }

  async destroy(id: string): Promise<void> {
    this.#entries.delete(id);
  }

  async findByUid(): Promise<undefined> {}

  async findByUserCode(): Promise<undefined> {}

  async consume(): Promise<void> {}

  async revokeByGrantId(): Promise<void> {}
}
