import * as oauth from 'oauth4webapi';
import { authenticateClient } from './client-authentication.js';
import type { ClientIdentity } from './client-identity.js';
import type { TokenSend } from './token-endpoint.error.js';

/** A revocation endpoint's server. */
export interface RevocationServer {
  readonly issuer: string;
  readonly revocation_endpoint: string;
  readonly revocation_endpoint_auth_methods_supported?: readonly string[] | undefined;
}

/** A token to revoke. */
export interface Revocation {
  readonly server: RevocationServer;
  /** The token's client. */
  readonly client: ClientIdentity & { readonly clientId: string };
  readonly token: string;
  readonly kind: 'access_token' | 'refresh_token';
  readonly send: TokenSend;
}

/** Why a token was not revoked. */
export interface RevocationProblem {
  /** The response status. */
  readonly status: number;
  /** The error code on the wire (RFC 6749 §5.2, RFC 7009 §2.2.1); absent if the response contains no known code. */
  readonly error: string | undefined;
}

/** A response may quote the token, so only these codes are repeated. */
const ERRORS: ReadonlySet<unknown> = new Set([
  'invalid_client',
  'invalid_request',
  'unauthorized_client',
  'unsupported_token_type',
]);

/**
 * Revokes a token at an authorization server. An unknown token counts as revoked.
 *
 * @returns why it was not revoked, or `undefined` if it was
 * @throws {TypeError} if the client's key cannot sign
 * @see RFC 7009 §2
 */
export async function revokeToken({
  server,
  client,
  token,
  kind,
  send,
}: Revocation): Promise<RevocationProblem | undefined> {
  const { issuer, revocation_endpoint, revocation_endpoint_auth_methods_supported: methods } = server;
  const response = await oauth.revocationRequest(
    { issuer, revocation_endpoint },
    { client_id: client.clientId },
    await authenticateClient(client, { endpoint: revocation_endpoint, supported: methods }),
    token,
    {
      additionalParameters: { token_type_hint: kind },
      // The sender refuses an insecure URL.
      [oauth.customFetch]: send,
      [oauth.allowInsecureRequests]: true,
    },
  );
  const error = await readError(response);
  // Some servers respond with 204 and no body, and some report an error with 200.
  return response.ok && error === undefined ? undefined : { status: response.status, error };
}

async function readError(response: Response): Promise<string | undefined> {
  const { error } = Object(await response.json().catch(() => undefined)) as { readonly error?: unknown };
  return ERRORS.has(error) ? (error as string) : undefined;
}
