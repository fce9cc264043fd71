import { createLocalJWKSet, errors as joseErrors, jwtVerify, type JWTPayload, type LocalJWKSet } from 'jose';
import { errors, type Configuration, type JWK, type KoaContextWithOIDC, type Provider } from 'oidc-provider';
import { readPublicKey } from '../../core/oauth/read-public-key.js';
import type { AuthorizationServerSettings } from '../settings/authorization-server-options.js';
import type { SealedRecords } from '../storage/sealed-records.js';
import { UpstreamError } from '../upstream/upstream-client.js';
import type { UpstreamTokenStore } from '../upstream/upstream-tokens.js';

export const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const EXCHANGE_PARAMETERS = [
  'subject_token', 'subject_token_type', 'requested_token_type', 'actor_token', 'actor_token_type', 'audience', 'resource', 'scope',
]; // prettier-ignore

const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const SUBJECT_TYPES: readonly unknown[] = [ACCESS_TOKEN, 'urn:ietf:params:oauth:token-type:jwt'];

/** Records which grant an access token belongs to, because the token does not contain it. */
const TOKEN_GRANT = 'AccessTokenGrant';

interface ExchangeParts {
  readonly settings: AuthorizationServerSettings;
  readonly records: SealedRecords;
  readonly provider: Provider;
  readonly signingKeys: readonly JWK[];
  readonly tokens: Pick<UpstreamTokenStore, 'find'>;
}

/** Configures the clients that may exchange tokens. Without such clients, nothing is stored for exchanges. */
export function buildExchangeConfiguration(
  { resourceServers }: AuthorizationServerSettings,
  records: SealedRecords,
): Partial<Configuration> {
  if (resourceServers.length === 0) return {};
  return {
    clients: resourceServers.map(({ clientId, clientSecret }) => ({
      client_id: clientId,
      client_secret: clientSecret,
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: [TOKEN_EXCHANGE],
      response_types: [],
      redirect_uris: [],
    })),
    formats: {
      customizers: {
        jwt: async (_context, token, { payload }) => {
          const { jti, exp } = payload as { readonly jti?: unknown; readonly exp?: unknown };
          const grantId: unknown = Reflect.get(token, 'grantId');
          if (typeof jti !== 'string' || typeof exp !== 'number' || typeof grantId !== 'string') return;
          const seconds = Math.max(1, exp - Math.floor(Date.now() / 1000));
          await records.write(TOKEN_GRANT, jti, { grantId }, seconds);
        },
      },
    },
  };
}

/**
 * Exchanges this server's access tokens for the tokens that the identity provider issued for their users. Only an MCP
 * server listed in the settings may do so, and only for tokens issued for it.
 *
 * @see RFC 8693
 */
export class TokenExchange {
  readonly #keys: LocalJWKSet;

  constructor(private readonly parts: ExchangeParts) {
    const keys = parts.signingKeys.flatMap((key) => readPublicKey({ ...key, d: undefined }) ?? []);
    this.#keys = createLocalJWKSet({ keys });
  }

  /**
   * Responds to a request from an authenticated client.
   *
   * @throws {OIDCProviderError} if the token cannot be exchanged
   */
  async respond(context: KoaContextWithOIDC): Promise<void> {
    const { settings } = this.parts;
    const { client, params = {} } = context.oidc;
    const server = settings.resourceServers.find(({ clientId }) => clientId === client?.clientId);
    if (server === undefined)
      throw new errors.UnauthorizedClient('only resource servers can exchange tokens');
    assertRequest(params);
    const { grant, subject } = await this.#verify(params['subject_token'], server.resource);
    // Audit events name its user.
    context.oidc.entity('Grant', grant);
    const tokens = await this.#find(subject);
    if (tokens === undefined) throw new errors.InvalidGrant('the user has to log in again');
    const { accessToken, expiresAt } = tokens;
    context.body = {
      access_token: accessToken,
      issued_token_type: ACCESS_TOKEN,
      token_type: 'Bearer',
      ...(expiresAt !== undefined && { expires_in: Math.max(0, expiresAt - Math.floor(Date.now() / 1000)) }),
    };
  }

  /** Returns the subject and the grant of an access token for a resource. The grant must not have been revoked. */
  async #verify(token: unknown, resource: string) {
    const { records, provider } = this.parts;
    const { jti, sub } = await this.#read(token, resource);
    const record = jti === undefined ? undefined : await records.read(TOKEN_GRANT, jti);
    const grantId = record?.['grantId'];
    const grant = typeof grantId === 'string' ? await provider.Grant.find(grantId) : undefined;
    if (grant === undefined || sub === undefined || grant.accountId !== sub) throw invalidSubject();
    return { grant, subject: sub };
  }

  /** ID tokens have a different type (RFC 9068 §4). */
  async #read(token: unknown, resource: string): Promise<JWTPayload> {
    try {
      const { payload } = await jwtVerify(String(token), this.#keys, {
        typ: 'at+jwt',
        algorithms: ['ES256'],
        issuer: this.parts.settings.issuer,
        audience: resource,
        requiredClaims: ['exp'],
      });
      return payload;
    } catch (error) {
      if (error instanceof joseErrors.JOSEError) throw invalidSubject();
      throw error;
    }
  }

  async #find(subject: string) {
    try {
      return await this.parts.tokens.find(subject);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      throw new errors.CustomOIDCProviderError(
        'temporarily_unavailable',
        'the identity provider cannot be reached',
      );
    }
  }
}

/** The scopes of the provider's token were granted at login and cannot be extended by an exchange. */
function assertRequest(params: Readonly<Record<string, unknown>>): void {
  const { subject_token_type: subjectType, requested_token_type: requestedType = ACCESS_TOKEN } = params;
  if (!SUBJECT_TYPES.includes(subjectType))
    throw new errors.InvalidRequest('subject_token_type is not supported');
  if (requestedType !== ACCESS_TOKEN)
    throw new errors.InvalidRequest('requested_token_type is not supported');
  if (params['actor_token'] !== undefined || params['actor_token_type'] !== undefined)
    throw new errors.InvalidRequest('actor_token is not supported');
  if (params['audience'] !== undefined || params['resource'] !== undefined)
    throw new errors.InvalidTarget(
      'resource and audience are not supported: the returned token is for the identity provider',
    );
  if (params['scope'] !== undefined) throw new errors.InvalidScope('scope cannot be requested', '');
}

function invalidSubject(): errors.InvalidGrant {
  return new errors.InvalidGrant('the subject token is not valid');
}
