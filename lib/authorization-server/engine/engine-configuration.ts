import {
  errors,
  interactionPolicy,
  type Configuration,
  type JWK,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import type { Keyring } from '../../core/sealing/keyring.js';
import { PAGE_HEADERS } from '../login/browser.js';
import { renderErrorPage } from '../login/pages.js';
import type { AuthorizationServerSettings } from '../settings/authorization-server-options.js';
import type { SealedRecords } from '../storage/sealed-records.js';
import { buildClientRules, createClientId } from './client-rules.js';
import { SealedAdapter } from './sealed-adapter.js';
import { buildExchangeConfiguration } from './token-exchange.js';

/** Clients request it to get refresh tokens, which are issued without it as well. */
export const OFFLINE_ACCESS = 'offline_access';

/** Scopes that do not belong to a resource. */
const OPENID_SCOPES = ['openid', OFFLINE_ACCESS];

/** The routes below the issuer's path. */
export const ROUTES = {
  authorization: '/authorize',
  token: '/token',
  registration: '/register',
  revocation: '/revoke',
  jwks: '/jwks',
} as const;

/** The parts used by the engine's configuration. */
export interface EngineParts {
  readonly settings: AuthorizationServerSettings;
  readonly records: SealedRecords;
  readonly keyring: Keyring;
  readonly signingKeys: readonly JWK[];
  /** Asks the provider whether a user may still log in, each time the provider's token has expired. */
  readonly verifyUser: (accountId: string) => Promise<void>;
  /** Whether the provider's tokens for a user have expired and cannot be refreshed. */
  readonly needsLogin: (accountId: string) => Promise<boolean>;
  /** Throws if a request may not fetch another client metadata document. */
  readonly countDocument: () => Promise<void>;
}

const MINUTE = 60;
const TOKEN_ALGORITHM = 'ES256';

/** Configures the engine for MCP clients: the authorization code flow with PKCE, resource indicators and JWTs. */
export function buildEngineConfiguration({
  settings,
  records,
  keyring,
  signingKeys,
  verifyUser,
  needsLogin,
  countDocument,
}: EngineParts): Configuration {
  const { accessTokenSeconds, refreshTokenSeconds, unusedRegistrationSeconds } = settings;
  const expiry = { unusedSeconds: unusedRegistrationSeconds, usedSeconds: refreshTokenSeconds };
  const ownClients = new Set(settings.resourceServers.map(({ clientId }) => clientId));
  return {
    adapter: (kind: string) => new SealedAdapter(kind, records, expiry),
    jwks: { keys: [...signingKeys] },
    cookies: {
      // Browsers send a host's cookies to all its ports, so two engines on one host need different names.
      names: { session: 'mcp_session', interaction: 'mcp_interaction', resume: 'mcp_resume' },
      keys: keyring.derive('authorization-server cookies').map((key) => key.toString('base64url')),
      long: { httpOnly: true, sameSite: 'lax', path: settings.path },
      short: { httpOnly: true, sameSite: 'lax' },
    },
    scopes: [...OPENID_SCOPES],
    routes: ROUTES,
    ttl: {
      AccessToken: accessTokenSeconds,
      AuthorizationCode: MINUTE,
      Grant: refreshTokenSeconds,
      IdToken: accessTokenSeconds,
      Interaction: 10 * MINUTE,
      RefreshToken: refreshTokenSeconds,
      Session: refreshTokenSeconds,
    },
    ...buildClientRules(TOKEN_ALGORITHM, countDocument, ownClients),
    rotateRefreshToken: true,
    // Tokens outlive the browser session, even without "offline_access".
    expiresWithSession: async () => false,
    issueRefreshToken: async (_context, client) => client.grantTypeAllowed('refresh_token'),
    findAccount: async (_context, accountId) => {
      await verifyUser(accountId);
      const user = await records.read('User', accountId);
      return user === undefined ? undefined : { accountId, claims: () => ({ sub: accountId }) };
    },
    loadExistingGrant: (context) => loadConsent(context, records),
    interactions: {
      url: (_context, { uid }) => `${settings.path}/interaction/${uid}`,
      policy: buildPolicy(needsLogin),
    },
    renderError: (context, { error, error_description: description }) => {
      context.set(PAGE_HEADERS);
      context.body = renderErrorPage(settings.consent, description ?? error);
    },
    features: buildFeatures(settings),
    ...buildExchangeConfiguration(settings, records),
  };
}

/**
 * Completes the metadata: the engine lists only scopes without a resource, and response modes that requests cannot have
 * here.
 */
export async function completeMetadata(
  { resources }: AuthorizationServerSettings,
  context: KoaContextWithOIDC,
  next: () => Promise<void>,
): Promise<void> {
  await next();
  if (context.oidc?.route !== 'discovery') return;
  const scopes = new Set([...Object.values(resources).flatMap(Object.keys), ...OPENID_SCOPES]);
  Object.assign(context.body as object, {
    scopes_supported: [...scopes],
    response_modes_supported: ['query'],
  });
}

/**
 * The engine expects a session's account to exist, but the user's records can expire before the session does, and so can
 * the provider's tokens.
 */
function buildPolicy(needsLogin: EngineParts['needsLogin']): interactionPolicy.DefaultPolicy {
  const { base, Check } = interactionPolicy;
  const policy = base();
  const noAccount = new Check('no_account', "the session's account is unknown", ({ oidc }) =>
    oidc.session?.accountId !== undefined && oidc.account === undefined
      ? Check.REQUEST_PROMPT
      : Check.NO_NEED_TO_PROMPT,
  );
  // After a login, the tokens are as current as the provider issues them.
  const noTokens = new Check('no_upstream_tokens', "the provider's tokens have expired", async ({ oidc }) =>
    oidc.account !== undefined &&
    oidc.result?.login === undefined &&
    (await needsLogin(oidc.account.accountId))
      ? Check.REQUEST_PROMPT
      : Check.NO_NEED_TO_PROMPT,
  );
  for (const check of [noAccount, noTokens]) policy.get('login')?.checks.add(check);
  return policy;
}

function buildFeatures(settings: AuthorizationServerSettings): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    claimsParameter: { enabled: false },
    dPoP: { enabled: true },
    pushedAuthorizationRequests: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    userinfo: { enabled: false },
    registration: {
      enabled: settings.registration,
      issueRegistrationAccessToken: false,
      idFactory: createClientId,
    },
    clientIdMetadataDocument: { enabled: settings.clientDocuments, ack: 'draft-02' },
    revocation: {
      enabled: true,
      allowedPolicy: (_context, client, token) => client.clientId === token.clientId,
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: (_context, _client, requested) => requested ?? findOnlyResource(settings),
      useGrantedResource: () => true,
      getResourceServerInfo: ({ oidc }, resource) => {
        // Each token is issued for a single resource, and each consent is given for one.
        if (Array.isArray(oidc.params?.['resource'])) throw new errors.InvalidTarget();
        const scopes = Object.hasOwn(settings.resources, resource) ? settings.resources[resource] : undefined;
        if (scopes === undefined) throw new errors.InvalidTarget();
        return {
          audience: resource,
          scope: Object.keys(scopes).join(' '),
          accessTokenFormat: 'jwt',
          accessTokenTTL: settings.accessTokenSeconds,
          jwt: { sign: { alg: TOKEN_ALGORITHM } },
        };
      },
    },
  };
}

/** Clients with the oldest protocol versions send no resource. With several resources, none can be assumed. */
export function findOnlyResource({ resources }: AuthorizationServerSettings): string {
  const [only, ...others] = Object.keys(resources);
  if (only === undefined || others.length > 0) throw new errors.InvalidTarget('resource is required');
  return only;
}

/**
 * Finds a user's consent to a client. It is only valid in the browser and for the redirect URIs it was given for.
 */
async function loadConsent(context: KoaContextWithOIDC, records: SealedRecords) {
  const { oidc } = context;
  const { client, session, result } = oidc;
  if (client === undefined) return undefined;
  const decided = result?.consent?.grantId;
  const grantId = decided ?? session?.grantIdFor(client.clientId);
  if (grantId === undefined) return undefined;
  if (decided === undefined) {
    const consent = await records.read('Consent', grantId);
    const addresses: unknown = consent?.['redirectUris'];
    if (!Array.isArray(addresses) || !addresses.includes(oidc.params?.['redirect_uri'])) return undefined;
  }
  const grant = await oidc.provider.Grant.find(grantId);
  // A scope rejected earlier counts as missing again, so the user is asked again.
  if (decided === undefined) delete grant?.rejected;
  return grant?.accountId === session?.accountId ? grant : undefined;
}
