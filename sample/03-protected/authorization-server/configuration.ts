import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { errors, type Configuration } from 'oidc-provider';
import { MemoryAdapter } from './memory.adapter.js';
import { pageOfError } from './pages.js';
import { OFFLINE_ACCESS } from './scopes.js';

/** Where clients send a browser to. */
export const AUTHORIZATION_PATH = '/authorize';

/** Where a browser is sent to log in and to consent. */
export const CONSENT_PATH = '/consent/';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What the tokens are for. */
export interface TokenPurpose {
  /** The URL of the MCP endpoint, which clients name as `resource` and tokens as `aud`. */
  readonly resource: string;
  /** What tokens for it can allow. */
  readonly scopes: readonly string[];
  /** Whether tokens are bound to the key of a client that proves to have one (RFC 9449). */
  readonly bindsTokens: boolean;
}

/** Says what MCP clients need of an authorization server, and leaves the rest out. */
export function buildConfiguration({ resource, scopes, bindsTokens }: TokenPurpose): Configuration {
  return {
    adapter: MemoryAdapter,
    jwks: { keys: [createSigningKey()] },
    cookies: { keys: [randomBytes(32).toString('base64url')] },
    scopes: [...scopes, OFFLINE_ACCESS],
    routes: { authorization: AUTHORIZATION_PATH, token: '/token', registration: '/register', jwks: '/keys' },
    ttl: {
      AccessToken: 10 * MINUTE,
      AuthorizationCode: MINUTE,
      Grant: 14 * DAY,
      IdToken: HOUR,
      Interaction: HOUR,
      RefreshToken: 14 * DAY,
      Session: 14 * DAY,
    },
    // Clients that run on the user's machine can keep no secret: they prove by PKCE that a code is theirs.
    clientAuthMethods: ['none'],
    responseTypes: ['code'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      id_token_signed_response_alg: 'ES256',
      token_endpoint_auth_method: 'none',
    },
    extraClientMetadata: { properties: ['scope', 'application_type'], validator: settleRegistration },
    clientBasedCORS: () => true,
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { url: (_context, { uid }) => CONSENT_PATH + uid },
    renderError: (context, failure) => {
      const isRead = context.accepts('html', 'json') === 'html';
      context.body = isRead ? pageOfError(failure.error_description ?? failure.error) : failure;
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: bindsTokens },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      registration: { enabled: true, issueRegistrationAccessToken: false },
      revocation: {
        enabled: true,
        allowedPolicy: (_context, client, token) => client.clientId === token.clientId,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context, indicator) => {
          if (indicator !== resource) throw new errors.InvalidTarget();
          return {
            audience: resource,
            scope: scopes.join(' '),
            accessTokenFormat: 'jwt',
            accessTokenTTL: 10 * MINUTE,
            jwt: { sign: { alg: 'ES256' } },
          };
        },
      },
    },
  };
}

/** Every start has a key of its own: tokens of an earlier one are refused, and clients ask for others. */
function createSigningKey() {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' };
}

/** Decides what a client that registers itself may not decide. */
function settleRegistration(...[, , , metadata]: Parameters<RegistrationValidator>): void {
  // Clients register with the scope that they need first, and could not step up if they were held to it.
  delete metadata['scope'];
  // `http:` on this machine with any port, or a scheme of the client's own; a code goes nowhere else in the clear.
  metadata['application_type'] = 'native';
}

type RegistrationValidator = NonNullable<NonNullable<Configuration['extraClientMetadata']>['validator']>;
