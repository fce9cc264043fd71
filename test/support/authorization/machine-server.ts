import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLocalJWKSet, jwtVerify, type JWK, type JWTPayload } from 'jose';
import {
  errors,
  Provider,
  type AdapterFactory,
  type AdapterPayload,
  type Configuration,
} from 'oidc-provider';
import { MemoryAdapter } from '../../../sample/03-protected/authorization-server/memory.adapter.js';
import type { ProtectedParty } from './protected-party.js';
import { within } from '../until.js';

/** Who gets tokens, and what for. */
export interface MachineServerOptions {
  readonly resource: string;
  readonly client: MachineClient;
  /** Whether proofs need a nonce, and tokens proofs. @default false */
  readonly wantsNonces?: boolean;
}

interface MachineClient {
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly method: 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt';
  readonly keys?: readonly JWK[];
}

const SCOPES = 'desk:read desk:write';

/** `oidc-provider` on a free port of 127.0.0.1, which gives JWTs to one program. */
export class MachineServer {
  /** The status and the error of each answer of the token endpoint. */
  readonly answers: string[] = [];

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
    private readonly publicJwk: JWK,
  ) {}

  static async start(options: MachineServerOptions): Promise<MachineServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwk = { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig', kid: 'signing' };
    const provider = new Provider(issuer, buildConfiguration(options, jwk));
    const machines = new MachineServer(server, issuer, {
      ...publicKey.export({ format: 'jwk' }),
      kid: 'signing',
    });
    provider.use(async (context, next) => {
      await next();
      const { error } = Object(context.body) as { readonly error?: string };
      if (context.path === '/token') machines.answers.push(`${context.status} ${error ?? 'token'}`);
    });
    const answer = provider.callback();
    server.on('request', (request, response) => void answer(request, response));
    return machines;
  }

  /** Has a server take its tokens. */
  protect(server: ProtectedParty): void {
    server.issuer = this.issuer;
    server.findScopes = async (token) => {
      const { scope } = await this.verify(token, server.url);
      return String(scope).split(' ');
    };
  }

  /** Reads a token, as the server does that it is for. */
  async verify(token: string, audience: string): Promise<JWTPayload> {
    const { issuer, publicJwk } = this;
    const keys = createLocalJWKSet({ keys: [publicJwk] });
    return (await jwtVerify(token, keys, { issuer, audience, typ: 'at+jwt' })).payload;
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await within(closed, 'the end of the authorization server');
  }
}

function buildConfiguration(options: MachineServerOptions, jwk: JWK): Configuration {
  const { resource, wantsNonces = false } = options;
  return {
    adapter: createAdapters(describeClient(options)),
    jwks: { keys: [jwk] },
    ttl: { ClientCredentials: 600 },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    scopes: SCOPES.split(' '),
    features: {
      clientCredentials: { enabled: true },
      devInteractions: { enabled: false },
      dPoP: { enabled: true, nonceSecret: Buffer.alloc(32, 1), requireNonce: () => wantsNonces },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_context, indicator) => {
          if (indicator !== resource) throw new errors.InvalidTarget();
          return {
            audience: resource,
            scope: SCOPES,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } },
          };
        },
      },
    },
  };
}

function describeClient({ client, wantsNonces = false }: MachineServerOptions): AdapterPayload {
  return {
    client_id: client.clientId,
    ...(client.clientSecret !== undefined && { client_secret: client.clientSecret }),
    ...(client.keys && { jwks: { keys: [...client.keys] }, token_endpoint_auth_signing_alg: 'ES256' }),
    token_endpoint_auth_method: client.method,
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    dpop_bound_access_tokens: wantsNonces,
  };
}

/** Clients of the configuration are cloned, and a clone is no plain object to a provider that runs in jest. */
function createAdapters(client: AdapterPayload): AdapterFactory {
  return (kind) => {
    const adapter = new MemoryAdapter();
    if (kind === 'Client') void adapter.upsert(String(client['client_id']), client);
    return adapter;
  };
}
