import {
  findParameterFault,
  type AuthorizationParameters,
} from '../../lib/client/authorization/login/authorization-parameters.js';
import { assertLoopbackRedirect } from '../../lib/client/authorization/login/loopback/loopback-redirect.js';
import { assertClientMetadataUrl } from '../../lib/client/authorization/registration/client-metadata-url.js';
import { MAXIMUM_RESPONSE_BYTES, type ResponseLimit } from '../../lib/core/network/limited-fetch.js';
import { findUrl } from '../../lib/core/oauth/find-url.js';
import { isScope, parseScope } from '../../lib/core/oauth/scope.js';
import { isHostName } from '../../lib/core/oauth/secure-url.js';
import type { Terminal } from '../command.interface.js';
import { UsageError } from '../usage.error.js';
import { quoteVisible } from '../visible-text.js';
import { HEADER_OPTIONS, HEADER_USAGE, readHeaders, type HeaderValues } from './header-options.js';
import { listLoginOptions } from './list-login-options.js';
import type { GivenHeaders } from './parse-header.js';
import { parseTimeout, type TimeoutBounds } from './parse-timeout.js';

/** The options that set the address to which the browser returns. */
interface RedirectValues {
  readonly 'redirect-uri'?: string | undefined;
  readonly 'callback-port'?: string | undefined;
}

const MOST_PORTS = 65_535;

/**
 * Reads where the browser comes back to: a URL of this machine, or a port of it.
 *
 * @throws {UsageError} if nothing here could listen there
 */
function parseRedirect(values: RedirectValues): string | undefined {
  const { 'redirect-uri': uri, 'callback-port': port } = values;
  if (uri !== undefined && port !== undefined) {
    throw new UsageError('"--redirect-uri" must not stand beside "--callback-port": give one of them');
  }
  if (port !== undefined) return `http://127.0.0.1:${parsePort(port)}/callback`;
  return uri === undefined ? undefined : parseUri(uri);
}

function parsePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= MOST_PORTS) return port;
  throw new UsageError(`"--callback-port" must be a port between 1 and ${MOST_PORTS}`);
}

function parseUri(uri: string): string {
  try {
    assertLoopbackRedirect(uri);
    return uri;
  } catch (cause) {
    throw new UsageError(
      '"--redirect-uri" must be an "http:" URL of this machine without query and fragment, such as "http://localhost:3118/callback"',
      { cause },
    );
  }
}

/** Which server a command is about, and who calls it. */
export interface ServerOptions {
  readonly url: URL;
  /** Milliseconds that an answer may take. */
  readonly timeoutMs: number;
  /** How large a response may be. */
  readonly responseLimit: ResponseLimit;
  /** Milliseconds to wait, in all, if the server limits requests. */
  readonly limitWaitMs: number;
  /** An access token, or its source. Without one, the user logs in. */
  readonly token: string | undefined;
  /** The variable that has an access token. */
  readonly tokenVariable: string | undefined;
  /** Sent to the server with every request. */
  readonly headers: GivenHeaders;
  readonly clientId: string | undefined;
  /** The variable that has the secret of the client. */
  readonly clientSecretVariable: string | undefined;
  readonly clientMetadataUrl: string | undefined;
  readonly issuer: string | undefined;
  readonly scopes: readonly string[];
  /** What was given for a login, as words of a command line. */
  readonly loginOptions: readonly string[];
  /** Where the browser comes back to; a free port if that is not said. */
  readonly redirectUri: string | undefined;
  /** Further parameters of the login request. */
  readonly parameters: AuthorizationParameters;
  /** Milliseconds that a login, and each answer of the authorization server, may take, if that is said. */
  readonly loginTimeoutMs: number | undefined;
  /** Hosts that may be spoken to by plain `http`. */
  readonly insecureHosts: readonly string[];
  /** Issuers that check PKCE with S256 without saying so. */
  readonly assumeS256: readonly string[];
  readonly ignoreIssuerSlash: boolean;
  /** Whether tokens are to be bound to a key, if that is said. */
  readonly dpop: true | undefined;
}

/** How long an answer of a server may take. */
export const SERVER_TIMEOUT: TimeoutBounds = { usualMs: 60_000, longestMs: 24 * 60 * 60 * 1000 };

const WAIT: TimeoutBounds = { option: '--wait', usualMs: 0, longestMs: SERVER_TIMEOUT.longestMs };

/** The options that say how strictly authorization servers are taken at their word. */
export const LENIENCY_OPTIONS = {
  'insecure-host': { type: 'string', multiple: true },
  'ignore-issuer-slash': { type: 'boolean' },
} as const;

/** The options that select the server and the login. */
export const LOGIN_OPTIONS = {
  'client-id': { type: 'string' },
  'client-secret-env': { type: 'string' },
  'client-metadata-url': { type: 'string' },
  issuer: { type: 'string' },
  scope: { type: 'string', multiple: true },
  param: { type: 'string', multiple: true },
  'redirect-uri': { type: 'string' },
  'callback-port': { type: 'string' },
  ...HEADER_OPTIONS,
  ...LENIENCY_OPTIONS,
  'assume-s256': { type: 'string', multiple: true },
  dpop: { type: 'boolean' },
  timeout: { type: 'string' },
  'max-bytes': { type: 'string' },
} as const;

/** The options that give the token for a server. */
export const TOKEN_OPTIONS = { token: { type: 'string' }, 'token-env': { type: 'string' } } as const;

/** The options of all commands that call a server. */
export const SERVER_OPTIONS = { ...LOGIN_OPTIONS, ...TOKEN_OPTIONS, wait: { type: 'string' } } as const;

/** The lines of the usage about a login. */
export const LOGIN_USAGE = `  --client-id <id>             the client that you registered with the authorization server
  --client-secret-env <name>   the variable that has its secret, if it has one
  --client-metadata-url <url>  the URL of your client's metadata (https), which is its id
  --issuer <url>               who gave the client its id, if answers to a login do not name their issuer
  --scope <scope>              the scopes to ask for at a login; may come several times
  --param <name=value>         a further parameter of the login request, such as audience=…; may come several times
  --redirect-uri <url>         the address on this machine to which the browser returns (a free port of http://127.0.0.1/callback)
  --callback-port <port>       the same, with only the port: http://127.0.0.1:<port>/callback
  --insecure-host <host>       a host that may be called by plain http, such as keycloak; may come several times
  --assume-s256 <issuer>       an issuer that checks PKCE with S256 without saying so, such as Entra ID or Cognito; may come several times
  --ignore-issuer-slash        treat issuers as equal if they differ only by a slash at the end
  --dpop                       bind tokens to a key, even if the server accepts unbound ones
${HEADER_USAGE}
  --timeout <ms>               how long an answer may take (60000), and a login (300000)
  --max-bytes <number>         the most bytes of one response, of one event of a stream, or of all pages of a list (${MAXIMUM_RESPONSE_BYTES})`;

/** The lines of the usage about a token. */
export const TOKEN_USAGE = `  --token <token>              an access token; the variable MCP_TOKEN is safer, because lists of processes do not show it
  --token-env <name>           the variable that has an access token; without a token, you log in once in a browser`;

/** The lines of the usage about a server. */
export const SERVER_USAGE = `${TOKEN_USAGE}
${LOGIN_USAGE}
  --wait <ms>                  how long to wait, in all, if the server limits requests (0)`;

/** The last line of a usage. */
export const EXIT_CODES = `Exit codes: 0 done; 1 the tool or the server says no; 2 wrong usage; 3 no authorization; 4 no connection, or no answer`;

/** What the options of {@link SERVER_OPTIONS}, or some of them, were given. */
export interface ServerValues extends RedirectValues, HeaderValues {
  readonly token?: string | undefined;
  readonly 'token-env'?: string | undefined;
  readonly param?: readonly string[] | undefined;
  readonly 'client-id'?: string | undefined;
  readonly 'client-secret-env'?: string | undefined;
  readonly 'client-metadata-url'?: string | undefined;
  readonly issuer?: string | undefined;
  readonly scope?: readonly string[] | undefined;
  readonly 'insecure-host'?: readonly string[] | undefined;
  readonly 'assume-s256'?: readonly string[] | undefined;
  readonly 'ignore-issuer-slash'?: boolean | undefined;
  readonly dpop?: boolean | undefined;
  readonly timeout?: string | undefined;
  readonly 'max-bytes'?: string | undefined;
  readonly wait?: string | undefined;
}

/**
 * Reads what the commands that call a server have in common.
 *
 * @throws {UsageError} if it asks for nothing that can be done
 */
export function parseServerOptions(
  url: URL,
  values: ServerValues,
  environment: Terminal['environment'],
): ServerOptions {
  const timeoutMs = parseTimeout(values.timeout, SERVER_TIMEOUT);
  return {
    url,
    timeoutMs,
    responseLimit: parseLimit(values['max-bytes']),
    limitWaitMs: values.wait === undefined ? 0 : parseTimeout(values.wait, WAIT),
    token: values.token,
    tokenVariable: values['token-env'],
    headers: readHeaders(values, environment).headers,
    clientId: values['client-id'],
    clientSecretVariable: values['client-secret-env'],
    clientMetadataUrl: parseMetadataUrl(values['client-metadata-url']),
    issuer: values.issuer,
    scopes: (values.scope ?? []).flatMap(parseScopes),
    loginOptions: listLoginOptions(values),
    redirectUri: parseRedirect(values),
    parameters: parseParameters(values.param),
    loginTimeoutMs: values.timeout === undefined ? undefined : timeoutMs,
    insecureHosts: (values['insecure-host'] ?? []).map(parseHost),
    assumeS256: (values['assume-s256'] ?? []).map(parseIssuer),
    ignoreIssuerSlash: values['ignore-issuer-slash'] ?? false,
    dpop: values.dpop === true ? true : undefined,
  };
}

/** A longer text fits into no string of Node. */
const MOST_BYTES = 512 * 1024 * 1024;

/** Reads the option `--max-bytes`. */
export function parseLimit(text = String(MAXIMUM_RESPONSE_BYTES)): ResponseLimit {
  const maximumBytes = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : Infinity;
  if (maximumBytes > MOST_BYTES)
    throw new UsageError(`"--max-bytes" must be a whole number between 1 and ${MOST_BYTES}`);
  return { maximumBytes, remedy: `accept more by "--max-bytes ${Math.min(2 * maximumBytes, MOST_BYTES)}"` };
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

/**
 * Reads the option `--param`, each of the form `name=value`.
 *
 * @throws {UsageError} if one of them is not valid, comes twice, or is set by the login itself
 */
function parseParameters(texts: readonly string[] = []): AuthorizationParameters {
  const pairs = texts.map(parsePair);
  const parameters = Object.fromEntries(pairs);
  if (Object.keys(parameters).length < pairs.length)
    throw new UsageError('"--param" must name no parameter twice');
  const found = findParameterFault(parameters);
  if (found === undefined) return parameters;
  throw new UsageError(`"--param" must not have ${quoteVisible(found.name)}: it ${found.fault}`);
}

function parsePair(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1)
    throw new UsageError(
      '"--param" must be of the form "name=value", such as "audience=https://api.example.com"',
    );
  return [text.slice(0, at), text.slice(at + 1)];
}
