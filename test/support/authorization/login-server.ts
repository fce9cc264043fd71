import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { errors, Provider, type ClientMetadata, type Configuration } from 'oidc-provider';
import { MemoryAdapter } from '../../../sample/03-protected/authorization-server/memory.adapter.js';
import { fetchTrusting } from '../clients/fetch-trusting.js';
import { within } from '../until.js';

/** What is different from an authorization server that takes everybody. */
export interface LoginServerOptions {
  /** The resources that tokens may be for. */
  readonly resources: readonly string[];
  readonly clients?: ClientMetadata[];
  readonly accessTokenSeconds?: number;
  /** Whether clients get refresh tokens that are registered for them. @default true */
  readonly issuesRefreshTokens?: boolean;
  /** How clients may show who they are. */
  readonly methods?: NonNullable<Configuration['clientAuthMethods']>;
  /** Whether clients can register themselves. @default true */
  readonly registers?: boolean;
  /** Whether URLs of metadata documents are client ids. @default true */
  readonly readsDocuments?: boolean;
  /** Whether a person has to log in and to consent, at the provider's own pages. @default false */
  readonly showsPages?: boolean;
  /** Whether pages of other origins can ask for tokens. @default false */
  readonly allowsPages?: boolean;
  /** Whether tokens can be withdrawn. @default true */
  readonly revokes?: boolean;
  /** @default the desk's two, and "offline_access" */
  readonly scopes?: string[];
}

/** A request of a client, and how it was answered. */
export interface Exchange {
  /** `authorization`, `token`, `registration` or `revocation`. */
  readonly route: string;
  readonly parameters: { readonly [name: string]: unknown };
  readonly authorization: string | undefined;
  readonly status: number;
}

const DECISION_PATH = '/decide/';

/** `oidc-provider` on a free port of 127.0.0.1, with a user who decides at once; access tokens are opaque. */
export class LoginServer {
  /** What the user says. */
  decision: 'allow' | 'deny' = 'allow';
  readonly exchanges: Exchange[] = [];

  private constructor(
    private readonly server: Server,
    readonly issuer: string,
    private readonly provider: Provider,
    private readonly kinds: ReadonlyMap<string, ForgetfulAdapter>,
  ) {
    provider.use(async (context, next) => {
      await next();
      const { route = '', params, body } = context.oidc ?? {};
      const { authorization } = context.headers;
      this.exchanges.push({
        route,
        parameters: body ?? { ...params },
        authorization,
        status: context.status,
      });
    });
    const answer = provider.callback();
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      nameScopes(request);
      if (request.url?.startsWith(DECISION_PATH) === true) void this.#decide(request, response);
      else void answer(request, response);
    });
  }

  static async start(options: LoginServerOptions): Promise<LoginServer> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const kinds = new Map<string, ForgetfulAdapter>();
    const provider = new Provider(issuer, buildConfiguration(options, kinds));
    return new LoginServer(server, issuer, provider, kinds);
  }

  /** Gives what was asked at one route, in order. */
  at(route: string): readonly Exchange[] {
    return this.exchanges.filter((exchange) => exchange.route === route);
  }

  /** Gives the grant types of the requests for tokens, in order, with `!` where they were refused. */
  get grants(): readonly string[] {
    return this.at('token').map(
      ({ parameters, status }) => `${String(parameters['grant_type'])}${status === 200 ? '' : '!'}`,
    );
  }

  /** Gives the scopes of a token; nothing where it is no good. */
  async findScopes(token: string): Promise<readonly string[] | undefined> {
    const found = await this.provider.AccessToken.find(token);
    return found === undefined || !found.isValid ? undefined : [...found.scopes];
  }

  /** Gives the scopes of a token, and the key that it is bound to, if any; nothing where it is no good. */
  async find(
    token: string,
  ): Promise<{ readonly scopes: readonly string[]; readonly jkt: string | undefined } | undefined> {
    const found = await this.provider.AccessToken.find(token);
    return found === undefined || !found.isValid ? undefined : { scopes: [...found.scopes], jkt: found.jkt };
  }

  /** Ends all grants, as users can who do not want a client any more. */
  endGrants(): void {
    for (const kind of ['Grant', 'RefreshToken', 'AccessToken']) this.kinds.get(kind)?.forget();
  }

  /** Ends access tokens before their time. */
  endAccessTokens(): void {
    this.kinds.get('AccessToken')?.forget();
  }

  /** Forgets the clients that registered themselves. */
  forgetClients(): void {
    this.kinds.get('Client')?.forget();
  }

  async stop(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await within(closed, 'the end of the authorization server');
  }

  async #decide(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await this.provider.interactionDetails(request, response);
    if (this.decision === 'deny') {
      const refusal = { error: 'access_denied', error_description: 'The user said no' };
      return this.provider.interactionFinished(request, response, refusal);
    }
    const [accountId, clientId] = ['ada', String(params['client_id'])];
    const grant = new this.provider.Grant({ accountId, clientId });
    const scope = typeof params['scope'] === 'string' ? params['scope'] : '';
    grant.addOIDCScope(scope);
    grant.addResourceScope(String(params['resource']), scope);
    const consent = { grantId: await grant.save() };
    await this.provider.interactionFinished(request, response, { login: { accountId }, consent });
  }
}

/** Whoever asks for no scope is taken to ask for one: an authorization server chooses which (RFC 6749 §3.3). */
function nameScopes(request: IncomingMessage): void {
  const [path, query] = (request.url ?? '').split('?');
  const parameters = new URLSearchParams(query);
  if (path !== '/authorize' || parameters.has('scope')) return;
  parameters.set('scope', 'desk:read');
  request.url = `${path}?${parameters.toString()}`;
}

/** Keeps what the provider has to remember of one kind, until it is told to forget. */
class ForgetfulAdapter extends MemoryAdapter {
  readonly #ids = new Set<string>();

  override async upsert(id: string, ...rest: [Parameters<MemoryAdapter['upsert']>[1], number?]) {
    this.#ids.add(id);
    await super.upsert(id, ...rest);
  }

  forget(): void {
    for (const id of this.#ids) void this.destroy(id);
  }
}

function buildConfiguration(
  options: LoginServerOptions,
  kinds: Map<string, ForgetfulAdapter>,
): Configuration {
  const {
    resources,
    clients = [],
    accessTokenSeconds = 600,
    issuesRefreshTokens = true,
    registers = true,
    readsDocuments = true,
    revokes = true,
    allowsPages = false,
    showsPages = false,
  } = options;
  const { methods = ['none', 'client_secret_basic', 'client_secret_post'] } = options;
  const { scopes = ['desk:read', 'desk:write', 'offline_access'] } = options;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    adapter: (kind: string) => {
      const adapter = new ForgetfulAdapter();
      kinds.set(kind, adapter);
      return adapter;
    },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    clients,
    scopes,
    routes: { authorization: '/authorize', token: '/token', registration: '/register' },
    ttl: {
      AccessToken: accessTokenSeconds,
      RefreshToken: 3600,
      Grant: 3600,
      Session: 3600,
      Interaction: 600,
    },
    clientAuthMethods: methods,
    responseTypes: ['code'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    rotateRefreshToken: true,
    issueRefreshToken: async (_context, client) =>
      issuesRefreshTokens && client.grantTypeAllowed('refresh_token'),
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    ...(!showsPages && { interactions: { url: (_context, { uid }) => DECISION_PATH + uid } }),
    clientBasedCORS: () => allowsPages,
    fetch: fetchTrusting,
    features: {
      devInteractions: { enabled: showsPages },
      revocation: {
        enabled: revokes,
        allowedPolicy: (_context, client, token) => client.clientId === token.clientId,
      },
      registration: { enabled: registers, issueRegistrationAccessToken: false },
      clientIdMetadataDocument: { enabled: readsDocuments, ack: 'draft-02' },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, resource) => {
          if (!resources.includes(resource)) throw new errors.InvalidTarget();
          return {
            audience: resource,
            scope: scopes.join(' '),
            accessTokenFormat: 'opaque',
            accessTokenTTL: accessTokenSeconds,
          };
        },
      },
    },
  };
}
