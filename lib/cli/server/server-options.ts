import { assertClientMetadataUrl } from '../../client/authorization/registration/client-metadata-url.js';
import { findUrl } from '../../core/oauth/find-url.js';
import { isScope, parseScope } from '../../core/oauth/scope.js';
import { isHostName } from '../../core/oauth/secure-url.js';
import { UsageError } from '../usage.error.js';
import { parseTimeout, type TimeoutBounds } from './parse-timeout.js';

/** Which server a command is about, and who calls it. */
export interface ServerOptions {
  readonly url: URL;
  /** Milliseconds that an answer may take. */
  readonly timeoutMs: number;
  /** The variable that has an access token; without one, the user logs in. */
  readonly tokenVariable: string | undefined;
  readonly clientId: string | undefined;
  /** The variable that has the secret of the client. */
  readonly clientSecretVariable: string | undefined;
  readonly clientMetadataUrl: string | undefined;
  readonly issuer: string | undefined;
  readonly scopes: readonly string[];
  /** Hosts that may be spoken to by plain `http`. */
  readonly insecureHosts: readonly string[];
  /** Issuers that check PKCE with S256 without saying so. */
  readonly assumeS256: readonly string[];
  readonly ignoreIssuerSlash: boolean;
}

const TIMEOUT: TimeoutBounds = { usualMs: 60_000, longestMs: 24 * 60 * 60 * 1000 };

/** What says which server it is and how one logs in there. */
export const LOGIN_OPTIONS = {
  'client-id': { type: 'string' },
  'client-secret-env': { type: 'string' },
  'client-metadata-url': { type: 'string' },
  issuer: { type: 'string' },
  scope: { type: 'string', multiple: true },
  'insecure-host': { type: 'string', multiple: true },
  'assume-s256': { type: 'string', multiple: true },
  'ignore-issuer-slash': { type: 'boolean' },
  timeout: { type: 'string' },
} as const;

/** What the commands that call a server have in common. */
export const SERVER_OPTIONS = { ...LOGIN_OPTIONS, 'token-env': { type: 'string' } } as const;

/** The lines of the usage about a login. */
export const LOGIN_USAGE = `  --client-id <id>             the client that you registered with the authorization server
  --client-secret-env <name>   the variable that has its secret, where it has one
  --client-metadata-url <url>  where the metadata of your client is, which is its id (https)
  --issuer <url>               who gave the client its id, where answers to a login do not say whom they are from
  --scope <scope>              what to ask for when you log in; may come several times
  --insecure-host <host>       a host that may be spoken to by plain http, such as keycloak; may come several times
  --assume-s256 <issuer>       who checks PKCE with S256 without saying so, as Entra ID and Cognito do; may come several times
  --ignore-issuer-slash        take issuers for the same that differ by a slash at the end
  --timeout <ms>               how long an answer may take (60000)`;

/** The lines of the usage about a server. */
export const SERVER_USAGE = `  --token-env <name>           the variable that has an access token; without it you log in once, in a browser
${LOGIN_USAGE}`;

/** The last line of a usage. */
export const EXIT_CODES = `Exit codes: 0 done; 1 the tool or the server says no; 2 wrong usage; 3 no authorization; 4 no connection, or no answer`;

/** What the options of {@link SERVER_OPTIONS}, or some of them, were given. */
export interface ServerValues {
  readonly 'token-env'?: string | undefined;
  readonly 'client-id'?: string | undefined;
  readonly 'client-secret-env'?: string | undefined;
  readonly 'client-metadata-url'?: string | undefined;
  readonly issuer?: string | undefined;
  readonly scope?: readonly string[] | undefined;
  readonly 'insecure-host'?: readonly string[] | undefined;
  readonly 'assume-s256'?: readonly string[] | undefined;
  readonly 'ignore-issuer-slash'?: boolean | undefined;
  readonly timeout?: string | undefined;
}

/**
 * Reads what the commands that call a server have in common.
 *
 * @throws {UsageError} where it asks for nothing that can be done
 */
export function parseServerOptions(url: URL, values: ServerValues): ServerOptions {
  return {
    url,
    timeoutMs: parseTimeout(values.timeout, TIMEOUT),
    tokenVariable: values['token-env'],
    clientId: values['client-id'],
    clientSecretVariable: values['client-secret-env'],
    clientMetadataUrl: parseMetadataUrl(values['client-metadata-url']),
    issuer: values.issuer,
    scopes: (values.scope ?? []).flatMap(parseScopes),
    insecureHosts: (values['insecure-host'] ?? []).map(parseHost),
    assumeS256: (values['assume-s256'] ?? []).map(parseIssuer),
    ignoreIssuerSlash: values['ignore-issuer-slash'] ?? false,
  };
}

function parseMetadataUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    assertClientMetadataUrl(text);
    return text;
  } catch (cause) {
    const message = (cause as Error).message.replace('The "clientMetadataUrl"', '"--client-metadata-url"');
    throw new UsageError(message, { cause });
  }
}

/** Checks what `--insecure-host` was given. */
export function parseHost(text: string): string {
  if (isHostName(text)) return text;
  throw new UsageError('"--insecure-host" must be a host such as keycloak, without scheme, port and path');
}

function parseIssuer(text: string): string {
  if (findUrl(text) !== undefined) return text;
  throw new UsageError(
    '"--assume-s256" must be an issuer such as https://login.example.com, as the server names it',
  );
}

function parseScopes(text: string): readonly string[] {
  const scopes = parseScope(text);
  if (scopes.length > 0 && scopes.every(isScope)) return scopes;
  throw new UsageError('"--scope" must be scopes with spaces between them (RFC 6749 §3.3)');
}
