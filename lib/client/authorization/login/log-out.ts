import {
  revokeToken,
  type Revocation,
  type RevocationProblem,
} from '../../../core/oauth/token-endpoint/revoke-token.js';
import type {
  CredentialKey,
  CredentialStore,
  StoredCredentials,
  StoredRegistration,
  StoredTokens,
} from '../credentials/credential-store.js';
import { FileCredentialStore } from '../credentials/file-credential-store.js';
import { getEndpoint, getServerMetadata } from '../discovery/server-metadata.js';
import { RevocationRefusedError } from '../errors.js';
import { createClientHttp, type ClientHttpOptions } from '../client-http.js';
import { identifyClient } from '../registration/registrar.js';

/** Options of a logout. */
export interface LogoutOptions extends Omit<ClientHttpOptions, 'serverUrl'> {
  /** The login's store. @default the user's files, with `new FileCredentialStore()` */
  readonly store?: CredentialStore | undefined;
  /** The secret of a client that was registered with the issuer in advance. Stores do not contain it. */
  readonly clientSecret?: string | undefined;
  /** Accepts an issuer whose metadata differs from it only in a trailing slash. @default false */
  readonly ignoreIssuerSlash?: boolean | undefined;
  /** Aborts the requests to the authorization server. The local credentials are deleted before that. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of a logout. The stored credentials are always deleted. */
export interface Logout {
  /**
   * Whether the authorization server has revoked the tokens: it has (`done`), it cannot (`unsupported`), there were none left
   * (`unneeded`), or it did not (`failed`).
   */
  readonly revocation: 'done' | 'unsupported' | 'unneeded' | 'failed';
  /** Why the authorization server did not revoke them. */
  readonly error?: unknown;
}

type Token = Pick<Revocation, 'token' | 'kind'>;

/**
 * Logs out: deletes the stored tokens and registration, and asks the authorization server to revoke the tokens, which
 * would otherwise remain valid until they expire.
 *
 * @throws {CredentialStoreError} if the stored credentials cannot be read or deleted
 * @example
 * for (const issuer of await store.issuers(serverUrl)) await logOut({ serverUrl, issuer }, { store });
 *
 * @see RFC 7009
 */
export async function logOut(key: CredentialKey, options: LogoutOptions = {}): Promise<Logout> {
  const { store = new FileCredentialStore() } = options;
  // The lock prevents a concurrent refresh from rewriting the credentials.
  const stored = await store.exclusively(key, async () => {
    const credentials = await store.get(key);
    await store.delete(key);
    return credentials;
  });
  try {
    return { revocation: await withdraw(key, stored, options) };
  } catch (error) {
    return { revocation: 'failed', error };
  }
}

async function withdraw(
  { serverUrl, issuer }: CredentialKey,
  { registration, tokens }: StoredCredentials = {},
  options: LogoutOptions,
): Promise<Exclude<Logout['revocation'], 'failed'>> {
  const given = tokens === undefined ? [] : listTokens(tokens);
  if (registration === undefined || given.length === 0) return 'unneeded';
  const { signal, clientSecret, insecureHosts, ignoreIssuerSlash } = options;
  const http = createClientHttp({ ...options, serverUrl });
  const metadata = await getServerMetadata(issuer, { http, signal, insecureHosts, ignoreIssuerSlash });
  if (metadata.revocation_endpoint === undefined) return 'unsupported';
  const server = {
    ...metadata,
    revocation_endpoint: getEndpoint(metadata, 'revocation_endpoint', insecureHosts),
  };
  const client = identifyClient(complete(registration, clientSecret));
  const send: Revocation['send'] = (url, request) => http(url, { ...request, signal });
  const problems: (RevocationProblem | undefined)[] = [];
  for (const token of given) problems.push(await revokeToken({ server, client, ...token, send }));
  const refusal = problems.find(
    (problem) => problem !== undefined && problem.error !== 'unsupported_token_type',
  );
  if (refusal !== undefined) throw new RevocationRefusedError(server.revocation_endpoint, refusal);
  return problems[0] === undefined ? 'done' : 'unsupported';
}

/** The secret belongs to the configured client. Other clients have none, or a stored one. */
function complete(registration: StoredRegistration, clientSecret: string | undefined): StoredRegistration {
  const isGiven = registration.origin === 'given' && clientSecret !== undefined;
  return isGiven ? { clientSecret, ...registration } : registration;
}

/** The refresh token is first: many servers then revoke everything that they issued for it (RFC 7009 §2.1). */
function listTokens({ accessToken, refreshToken, expiresAtMs = Infinity }: StoredTokens): readonly Token[] {
  const isOver = expiresAtMs <= Date.now();
  return [
    ...(refreshToken === undefined ? [] : [{ token: refreshToken, kind: 'refresh_token' as const }]),
    ...(isOver ? [] : [{ token: accessToken, kind: 'access_token' as const }]),
  ];
}
