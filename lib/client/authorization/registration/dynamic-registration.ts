import type { AuthorizationServerMetadata } from '../../../core/oauth/metadata.js';
import { omitEmpty } from '../../../core/oauth/omit-empty.js';
import { isLoopbackUrl } from '../../../core/oauth/secure-url.js';
import { type JsonObject, parseJsonObject } from '../../../core/protocol/json-rpc.js';
import type { ClientHttp } from '../client-http.interface.js';
import type { StoredRegistration } from '../credentials/credential-store.js';
import { getEndpoint } from '../discovery/server-metadata.js';
import { quoteValue, RegistrationUnavailableError } from '../errors.js';

/** A client, and where it registers. */
interface RegistrationRequest {
  readonly authorizationServer: AuthorizationServerMetadata;
  readonly client: ClientDescription;
  readonly http: ClientHttp;
  readonly insecureHosts?: readonly string[] | undefined;
}

/** The response properties that are stored, in addition to the id and the secret. */
const STORED = [
  'redirect_uris',
  'token_endpoint_auth_method',
  'application_type',
  'client_secret_expires_at',
];

/**
 * Registers a client with an authorization server.
 *
 * @throws {RegistrationUnavailableError} if the authorization server refuses to register it
 * @see RFC 7591 §3
 */
export async function registerClient(request: RegistrationRequest): Promise<StoredRegistration> {
  const { authorizationServer, client, http, insecureHosts } = request;
  const asked = buildClientMetadata(client, authorizationServer);
  const response = await http(getEndpoint(authorizationServer, 'registration_endpoint', insecureHosts), {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(asked),
  });
  const answer = omitEmpty(parseJsonObject(await response.text()) ?? {});
  const { client_id: clientId, client_secret: clientSecret, error } = answer;
  if (!response.ok || Boolean(error) || typeof clientId !== 'string') {
    const { status } = response;
    const problem = describeRefusal(response, answer);
    throw new RegistrationUnavailableError(authorizationServer.issuer, problem, { status });
  }
  // Properties missing from the response keep their requested values.
  const metadata = Object.entries({ ...asked, ...answer }).filter(([member]) => STORED.includes(member));
  return {
    clientId,
    ...(typeof clientSecret === 'string' && { clientSecret }),
    origin: 'dynamic',
    metadata: Object.fromEntries(metadata),
  };
}

/** Returns whether a dynamically registered client is still valid, for this redirect URI. */
export function isRegisteredFor(registration: StoredRegistration, redirectUri: string): boolean {
  const { redirect_uris: uris, client_secret_expires_at: endsAt } = registration.metadata ?? {};
  const isOver = typeof endsAt === 'number' && endsAt > 0 && endsAt * 1000 <= Date.now();
  return !isOver && Array.isArray(uris) && uris.includes(redirectUri);
}

function describeRefusal(
  { status }: Response,
  { error, error_description: description }: JsonObject,
): string {
  const reason = typeof error === 'string' ? ` and ${quoteValue(error)}` : '';
  const detail = typeof description === 'string' ? ` (${quoteValue(description)})` : '';
  return `its registration endpoint responded with status ${status}${reason}${detail}`;
}

/** The metadata that the client registers. */
interface ClientDescription {
  /** The name that users see. */
  readonly clientName: string;
  /** The URL that the authorization server redirects users to. */
  readonly redirectUri: string;
}

/** In order of preference, because a program on a user's machine cannot hide a secret from that user. */
const METHODS = ['none', 'client_secret_basic', 'client_secret_post'];

/**
 * Builds the client metadata to register. It names no scopes, which would limit later requests.
 *
 * @see RFC 7591 §2, OpenID Connect Dynamic Client Registration 1.0 §2, MCP 2026-07-28 basic/authorization
 */
export function buildClientMetadata(
  { clientName, redirectUri }: ClientDescription,
  server: AuthorizationServerMetadata,
): { readonly [member: string]: unknown } {
  const { grant_types_supported: grants, token_endpoint_auth_methods_supported: methods = METHODS } = server;
  const canRefresh = grants === undefined || grants.includes('refresh_token');
  return {
    client_name: clientName,
    redirect_uris: [redirectUri],
    application_type: isWebUrl(redirectUri) ? 'web' : 'native',
    grant_types: ['authorization_code', ...(canRefresh ? ['refresh_token'] : [])],
    response_types: ['code'],
    token_endpoint_auth_method: METHODS.find((method) => methods.includes(method)) ?? 'none',
  };
}

function isWebUrl(redirectUri: string): boolean {
  return /^https?:/i.test(redirectUri) && !isLoopbackUrl(redirectUri);
}
