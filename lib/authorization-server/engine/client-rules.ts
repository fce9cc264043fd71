import { randomBytes } from 'node:crypto';
import { errors, type Configuration, type KoaContextWithOIDC } from 'oidc-provider';
import { isPublicHost } from '../../core/network/ssrf-guard.js';
import { findUrl } from '../../core/oauth/secure-url.js';

const CLIENT_ID_BYTES = 16;
const GRANT_TYPES: ReadonlySet<unknown> = new Set(['authorization_code', 'refresh_token']);

/**
 * Configures which kinds of clients are accepted, and what they may choose.
 *
 * @param countDocument throws if no more client metadata documents may be fetched
 * @param ownClients the IDs of the clients in the settings
 */
export function buildClientRules(
  algorithm: 'ES256',
  countDocument: () => Promise<void>,
  ownClients: ReadonlySet<unknown>,
): Partial<Configuration> {
  return {
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      id_token_signed_response_alg: algorithm,
      token_endpoint_auth_method: 'none',
    },
    extraClientMetadata: {
      properties: ['scope', 'application_type'],
      validator: (_context, _name, _value, metadata) => {
        assertGrantTypes(metadata, ownClients);
        settleRegistration(metadata);
      },
    },
    clientBasedCORS: () => true,
    fetch: async (url, options) => {
      await countDocument();
      return fetchPublic(url, options);
    },
    fetchResponseBodyLimits: { jwks_uri: MAXIMUM_DOCUMENT_BYTES },
  };
}

type Validator = NonNullable<NonNullable<Configuration['extraClientMetadata']>['validator']>;

/** Schemes with another well-known use, so they cannot belong to a single app. */
const PUBLIC_SCHEMES =
  /^(?:s?ftp|ssh|git|wss?|ldaps?|mailto|tel|sms|facetime|skype|intent|jar|filesystem|view-source|chrome|chrome-extension|resource|search-ms|ms-[\w-]+):$/;

/** The maximum length of a registration as JSON, so one client cannot use up the space of many. */
const MAXIMUM_REGISTRATION = 8192;
const MAXIMUM_DOCUMENT_BYTES = 64 * 1024;

/** Creates the ID of a client that registers itself, and sets what the engine reads before it validates the metadata. */
export function createClientId({ oidc }: KoaContextWithOIDC): string {
  const metadata = oidc.body as Record<string, unknown>;
  assertAlgorithms(metadata);
  // Otherwise the engine would create a secret, which a public client must not use.
  metadata['token_endpoint_auth_method'] ??= 'none';
  return randomBytes(CLIENT_ID_BYTES).toString('base64url');
}

/** @throws {InvalidClientMetadata} if an algorithm is not a string, which would make the engine fail */
function assertAlgorithms(metadata: object): void {
  for (const [name, value] of Object.entries(metadata)) {
    if (name.endsWith('_alg') && typeof value !== 'string')
      throw new errors.InvalidClientMetadata(`${name} must be a string`);
  }
}

/** @throws {InvalidClientMetadata} if a client outside the settings requests a grant type that MCP clients do not need */
function assertGrantTypes(
  { grant_types: given, client_id: clientId }: Record<string, unknown>,
  own: ReadonlySet<unknown>,
): void {
  const isRefused = Array.isArray(given) && given.some((type) => !GRANT_TYPES.has(type));
  if (isRefused && !own.has(clientId))
    throw new errors.InvalidClientMetadata(
      "grant_types can only contain 'authorization_code' and 'refresh_token'",
    );
}

/** Overrides what clients may not choose, and rejects redirect URIs where others could read a code. */
function settleRegistration(metadata: Parameters<Validator>[3]): void {
  // A client registers only the scopes it needs at first; limiting it to them would prevent a step-up.
  delete metadata['scope'];
  // Subjects come from the provider, so sector identifier documents are not needed.
  delete metadata['subject_type'];
  delete metadata['sector_identifier_uri'];
  assertAlgorithms(metadata);
  if (JSON.stringify(metadata).length > MAXIMUM_REGISTRATION)
    throw new errors.InvalidClientMetadata('the client metadata is too large');
  const given: unknown = metadata.redirect_uris;
  const uris = (Array.isArray(given) ? given : []).filter((uri) => typeof uri === 'string');
  const isRemote = uris.length > 0 && uris.every((uri) => uri.startsWith('https://'));
  metadata['application_type'] = isRemote ? 'web' : 'native';
  for (const uri of uris) assertRedirectUri(uri);
}

/** @throws {InvalidClientMetadata} if a redirect URI is ambiguous or leads to other programs */
function assertRedirectUri(uri: string): void {
  const url = findUrl(uri);
  if (url === undefined) throw new errors.InvalidClientMetadata('redirect_uris must only contain valid uris');
  if (PUBLIC_SCHEMES.test(url.protocol))
    throw new errors.InvalidClientMetadata('redirect_uris must not use a scheme that other programs handle');
  if (url.username !== '' || url.password !== '' || /[\s\\]/.test(uri))
    throw new errors.InvalidClientMetadata(
      'redirect_uris must not contain user names, spaces or backslashes',
    );
}

/**
 * Fetches a client metadata document. Anyone can choose its URL, so it must be on a public host; the engine checks the
 * connection's address again.
 */
async function fetchPublic(url: string | URL | Request, options?: RequestInit): Promise<Response> {
  const { protocol, hostname } = new URL(url instanceof Request ? url.url : url);
  if (protocol !== 'https:' || !(await isPublicHost(hostname)))
    throw new TypeError('Client metadata documents must be on public hosts');
  return fetch(url, { ...options, redirect: 'manual' });
}
