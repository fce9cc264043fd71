import { isDeepStrictEqual } from 'node:util';
import {
  type AuthorizationServerMetadata,
  isSameIssuer,
  type ProtectedResourceMetadata,
} from '../../../core/oauth/metadata.js';
import { findResourceDocument, isNotFound } from '../../../core/oauth/documents.js';
import { isSecureUrl } from '../../../core/oauth/secure-url.js';
import type { AuthorizationChallenge } from '../authorization-headers.js';
import {
  AddressGuard,
  createClientHttp,
  type ClientHttpOptions,
  type GuardSettings,
} from '../client-http.js';
import {
  ClientAuthError,
  DiscoveryFailedError,
  InsecureEndpointError,
  IssuerMismatchError,
  quoteUrl,
} from '../errors.js';
import { createDocumentGet, getFound, type DocumentFetch } from './fetch-document.js';
import { findResourceMetadata } from './resource-metadata.js';
import { getServerMetadata, parseServerMetadata } from './server-metadata.js';

/** How to get tokens for a server. */
export interface McpAuthInfo {
  /** The server's protected resource metadata; absent if the server follows MCP 2025-03-26. */
  readonly prm: ProtectedResourceMetadata | undefined;
  /** Whether the server follows MCP 2025-03-26. It is then its own authorization server. */
  readonly legacyDiscovery: boolean;
  /**
   * The authorization server's metadata, with a checked token endpoint. If there is none, the default endpoints of
   * MCP 2025-03-26.
   */
  readonly authorizationServer: AuthorizationServerMetadata;
}

/** The endpoints that every login uses. Others are checked when a request is sent. */
const MEMBERS = ['authorization_endpoint', 'token_endpoint'] as const;

/**
 * Rejects endpoints that are closer to the client than the server, because the user's browser opens them too.
 *
 * @throws {PrivateAddressError} for the first such endpoint
 */
async function assertEndpointsInReach(
  metadata: AuthorizationServerMetadata,
  settings: GuardSettings & { readonly signal?: AbortSignal | undefined },
): Promise<void> {
  const guard = new AddressGuard(settings);
  for (const member of MEMBERS) {
    const url = metadata[member];
    if (isSecureUrl(url)) await guard.assertReachable(url, settings.signal);
  }
}

/** Options of `discoverMcpAuth()`. */
export interface DiscoverOptions extends Omit<ClientHttpOptions, 'serverUrl'> {
  /** The server's challenge. */
  readonly challenge?: Pick<AuthorizationChallenge, 'resourceMetadataUrl' | 'isMalformed'> | undefined;
  /** Chooses where to log in, if the server names several. @default the first */
  readonly selectIssuer?: ((issuers: readonly string[]) => string | undefined) | undefined;
  /** Accepts an issuer that differs from the expected one only in a trailing slash. @default false */
  readonly ignoreIssuerSlash?: boolean | undefined;
  /** The timeout for the whole search, in milliseconds, regardless of the number of documents. @default 30_000 */
  readonly searchTimeoutMs?: number | undefined;
  /** Ends the search. */
  readonly signal?: AbortSignal | undefined;
}

const SEARCH_TIMEOUT_MS = 30_000;

/**
 * Finds an MCP server's authorization server. The search reads the metadata that the challenge names, or else the
 * well-known URLs. If the server definitely has neither, the search follows MCP 2025-03-26. Any other failure ends
 * the search, so that an attacker cannot divert it with a failing step. The search then reads the authorization
 * server's metadata, in any of its forms.
 *
 * @example
 * const { prm, authorizationServer } = await discoverMcpAuth('https://desk.example.com/mcp');
 *
 * @throws {DiscoveryFailedError} if a document cannot be fetched or is malformed, or the search times out
 * @throws {NoAuthorizationServerError} if the server's metadata names no authorization server
 * @throws {ResourceMismatchError} if the server's metadata describes another resource
 * @throws {IssuerMismatchError} if the authorization server's metadata names another issuer
 * @throws {InsecureEndpointError} if a URL is neither `https` nor on this machine
 * @throws {PrivateAddressError} if a URL from outside points to this machine or its network
 * @see RFC 9728, RFC 8414, MCP 2026-07-28 basic/authorization
 */
export async function discoverMcpAuth(
  serverUrl: string | URL,
  options: DiscoverOptions = {},
): Promise<McpAuthInfo> {
  const server = String(serverUrl);
  if (!isSecureUrl(server, options.insecureHosts)) throw new InsecureEndpointError(server, 'serverUrl');
  const { searchTimeoutMs = SEARCH_TIMEOUT_MS, signal } = options;
  const deadline = AbortSignal.timeout(searchTimeoutMs);
  const end = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
  try {
    return await search(server, { ...options, signal: end });
  } catch (error) {
    if (!deadline.aborted || signal?.aborted === true || error instanceof ClientAuthError) throw error;
    const problem = `took longer than ${searchTimeoutMs} ms, including the authorization servers that it names`;
    throw new DiscoveryFailedError({ url: server, problem }, { cause: error });
  }
}

async function search(serverUrl: string, options: DiscoverOptions): Promise<McpAuthInfo> {
  const settings = { ...options, serverUrl };
  const { signal, insecureHosts, ignoreIssuerSlash } = options;
  const fetching = { http: createClientHttp(settings), signal, insecureHosts, ignoreIssuerSlash };
  const found = await findMetadata(serverUrl, fetching, options);
  assertOneParty(found.authorizationServer);
  await assertEndpointsInReach(found.authorizationServer, settings);
  return found;
}

async function findMetadata(
  serverUrl: string,
  fetching: DocumentFetch,
  { challenge, selectIssuer }: DiscoverOptions,
): Promise<McpAuthInfo> {
  const { resourceMetadataUrl: advertisedUrl, isMalformed: isHint } = challenge ?? {};
  const location = { serverUrl, advertisedUrl, isHint };
  const prm = await findResourceMetadata(location, fetching);
  if (prm === undefined) {
    const authorizationServer = await getServerAtOrigin(serverUrl, fetching);
    return { prm, legacyDiscovery: true, authorizationServer };
  }
  const issuer = select(serverUrl, prm.authorization_servers, selectIssuer);
  const authorizationServer: AuthorizationServerMetadata = await getServerMetadata(issuer, fetching);
  return { prm, legacyDiscovery: false, authorizationServer };
}

function select(
  serverUrl: string,
  issuers: readonly string[],
  choose: DiscoverOptions['selectIssuer'] = ([first]) => first,
): string {
  const issuer = choose(issuers);
  if (issuer !== undefined && issuers.includes(issuer)) return issuer;
  throw new DiscoveryFailedError({
    url: serverUrl,
    problem: 'names authorization servers, but "selectIssuer" did not choose one of them',
  });
}

/**
 * Rejects metadata that would have users log in with one party and send the code to another. If responses carry
 * `iss`, the login itself verifies the code's sender.
 *
 * @throws {DiscoveryFailedError} if the authorization endpoint has neither the issuer's nor the token endpoint's
 * origin
 * @see RFC 9700 §4.4, RFC 9207
 */
function assertOneParty(metadata: AuthorizationServerMetadata): void {
  const { issuer, authorization_endpoint: login, token_endpoint: token } = metadata;
  // An insecure authorization endpoint is rejected later.
  if (!isSecureUrl(login) || metadata.authorization_response_iss_parameter_supported === true) return;
  const { origin } = new URL(login);
  const owners = [issuer, ...(token === undefined ? [] : [token])].map((url) => new URL(url).origin);
  if (owners.includes(origin)) return;
  const problem = `has an authorization endpoint at ${quoteUrl(login)}, an origin other than its issuer and its token endpoint`;
  throw new DiscoveryFailedError({ url: issuer, problem });
}

/**
 * Selects the credentials' issuer from the issuers that a server names, or else the first one.
 *
 * @throws {IssuerMismatchError} if it is not named, because no other issuer may receive the credentials
 */
export function selectExpectedIssuer(
  expected: string | undefined,
  issuers: readonly string[],
  ignoreSlash: boolean | undefined,
): string | undefined {
  if (expected === undefined) return issuers[0];
  const found = issuers.find((issuer) => isSameIssuer(expected, issuer, ignoreSlash));
  if (found === undefined) throw new IssuerMismatchError(expected, issuers[0]);
  return found;
}

/**
 * Gets the metadata of a server that is its own authorization server. Without metadata, it has the default endpoints.
 *
 * @see MCP 2025-03-26 basic/authorization
 */
async function getServerAtOrigin(
  serverUrl: string,
  fetching: DocumentFetch,
): Promise<AuthorizationServerMetadata> {
  const { origin } = new URL(serverUrl);
  const url = `${origin}/.well-known/oauth-authorization-server`;
  // The URL is on the resource itself: endpoints are assumed only if the document definitely does not exist.
  const reply = await findResourceDocument([url], createDocumentGet(fetching));
  if (isNotFound(reply)) return buildMetadata(origin);
  // Both spellings of the issuer have the same metadata URL.
  return parseServerMetadata(reply.url, getFound(reply), { issuers: [origin, `${origin}/`], ...fetching });
}

/** Returns whether no metadata was found, in which case the endpoints are assumed. */
export function isAssumed({ legacyDiscovery, authorizationServer }: McpAuthInfo): boolean {
  return legacyDiscovery && isDeepStrictEqual(authorizationServer, buildMetadata(authorizationServer.issuer));
}

function buildMetadata(origin: string): AuthorizationServerMetadata {
  return {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
  };
}
