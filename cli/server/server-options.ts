import {
  findParameterProblem,
  type AuthorizationParameters,
} from '../../lib/client/authorization/login/authorization-request.js';
import { assertLoopbackRedirect } from '../../lib/client/authorization/login/loopback/loopback-authorizer.js';
import { assertClientMetadataUrl } from '../../lib/client/authorization/registration/registrar.js';
import { MAXIMUM_RESPONSE_BYTES, type ResponseLimit } from '../../lib/core/network/limited-fetch.js';
import { findUrl, isHostName } from '../../lib/core/oauth/secure-url.js';
import { isScope, parseScope } from '../../lib/core/oauth/scope.js';
import type { Terminal } from '../command.interface.js';
import {
  CONNECTION_HELP,
  type ExitCodes,
  flagOption,
  formatExitCodes,
  listOption,
  valueOption,
} from '../help.js';
import { UsageError } from '../usage.error.js';
import { quoteVisible } from '../visible-text.js';
import { type GivenHeaders, HEADER_OPTIONS, type HeaderValues, readHeaders } from './parse-header.js';
import { parseTimeout, type TimeoutLimits } from './parse-timeout.js';

/** The options that set the redirect URI. */
interface RedirectValues {
  readonly 'redirect-uri'?: string | undefined;
  readonly 'callback-port'?: string | undefined;
}

const MOST_PORTS = 65_535;

/**
 * Parses the redirect URI: a URL on this machine, or only its port.
 *
 * @throws {UsageError} if this machine cannot listen there
 */
function parseRedirect(values: RedirectValues): string | undefined {
  const { 'redirect-uri': uri, 'callback-port': port } = values;
  if (uri !== undefined && port !== undefined) {
    throw new UsageError('"--redirect-uri" cannot be combined with "--callback-port": pass only one of them');
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
      '"--redirect-uri" must be an "http:" URL on this machine, without a query or fragment, such as "http://localhost:3118/callback"',
      { cause },
    );
  }
}

/** The server that a command calls, and the caller's credentials. */
export interface ServerOptions {
  readonly url: URL;
  /** A response's timeout in milliseconds. */
  readonly timeoutMs: number;
  /** The size limit of a response. */
  readonly responseLimit: ResponseLimit;
  /** The total time in milliseconds to wait and retry if the server is rate limiting requests. */
  readonly limitWaitMs: number;
  /** An access token. Without one, the user logs in. */
  readonly token: string | undefined;
  /** The environment variable that contains an access token. */
  readonly tokenVariable: string | undefined;
  /** The headers of every request to the server. */
  readonly headers: GivenHeaders;
  readonly clientId: string | undefined;
  /** The environment variable that contains the client secret. */
  readonly clientSecretVariable: string | undefined;
  readonly clientMetadataUrl: string | undefined;
  readonly issuer: string | undefined;
  readonly scopes: readonly string[];
  /** The login options as command-line arguments. */
  readonly loginOptions: readonly string[];
  /** The redirect URI; a free port if it is absent. */
  readonly redirectUri: string | undefined;
  /** Additional parameters of the authorization request. */
  readonly parameters: AuthorizationParameters;
  /** The timeout for a login and for each authorization server response, in milliseconds, if set. */
  readonly loginTimeoutMs: number | undefined;
  /** Hosts that may be called over plain HTTP. */
  readonly insecureHosts: readonly string[];
  /** Issuers that support PKCE with S256 without advertising it. */
  readonly assumeS256: readonly string[];
  readonly ignoreIssuerSlash: boolean;
  /** Whether to request DPoP-bound tokens, if set. */
  readonly dpop: true | undefined;
}

/** A response's timeout. */
export const SERVER_TIMEOUT: TimeoutLimits = { usualMs: 60_000, longestMs: 24 * 60 * 60 * 1000 };

const MAX_WAIT: TimeoutLimits = { option: '--max-wait', usualMs: 0, longestMs: SERVER_TIMEOUT.longestMs };

/** The options that relax the requirements on an authorization server. */
export const LENIENCY_OPTIONS = {
  'insecure-host': listOption('<host>', 'Allow plain HTTP to this host, such as keycloak'),
  'ignore-issuer-slash': flagOption('Treat issuers as equal if they differ only in a trailing slash'),
};

/** The options that identify an OAuth client that was registered in advance. */
export const CLIENT_OPTIONS = {
  'client-id': valueOption('<id>', 'Client ID that you registered with the authorization server'),
  'client-secret-env': valueOption('<name>', 'Environment variable that contains the client secret'),
};

/** The options for requests to a server and for a login. */
export const LOGIN_OPTIONS = {
  ...CLIENT_OPTIONS,
  'client-metadata-url': valueOption(
    '<url>',
    'HTTPS URL of a client metadata document, which serves as the client ID',
  ),
  issuer: valueOption(
    '<url>',
    'Issuer to log in with; required if it does not identify itself in its responses',
  ),
  scope: listOption('<scope>', 'OAuth scope to request, in addition to the scopes that the server requires'),
  'auth-param': listOption(
    '<name=value>',
    'Additional parameter of the authorization request, such as audience=...',
  ),
  'redirect-uri': valueOption(
    '<url>',
    'Redirect URI of the login: an HTTP URL on this machine',
    'a free port of http://127.0.0.1/callback',
  ),
  'callback-port': valueOption(
    '<port>',
    'Port of the redirect URI http://127.0.0.1:<port>/callback',
    'a free port',
  ),
  ...HEADER_OPTIONS,
  ...LENIENCY_OPTIONS,
  'assume-pkce-s256': listOption(
    '<issuer>',
    'Issuer that supports PKCE with S256 without advertising it, such as Entra ID or Cognito',
  ),
  dpop: flagOption('Request DPoP-bound tokens even if the server accepts bearer tokens'),
  timeout: valueOption(
    '<ms>',
    'Timeout for a response, and for a call that reports no progress',
    '60000; 300000 for a login',
  ),
  'max-bytes': valueOption(
    '<number>',
    'Size limit for one response, one event of a stream, or all pages of a list',
    String(MAXIMUM_RESPONSE_BYTES),
  ),
};

/** The options that pass an access token. */
export const TOKEN_OPTIONS = {
  'token-env': valueOption(
    '<name>',
    'Environment variable that contains an access token',
    'MCP_TOKEN, or the stored login',
  ),
  token: valueOption(
    '<token>',
    'Access token; prefer an environment variable, because arguments are visible in "ps"',
  ),
};

/** The options of all commands that send requests to a server at a URL. */
export const SERVER_OPTIONS = {
  ...TOKEN_OPTIONS,
  ...LOGIN_OPTIONS,
  'max-wait': valueOption(
    '<ms>',
    'Total time to wait and retry if the server is rate limiting requests',
    '0',
  ),
};

/** The lines about connection options in a usage that a command formats itself. */
export const SERVER_USAGE = `\n${CONNECTION_HELP}`;

/** The exit codes of most commands. */
export const CONNECTION_EXIT_CODES = {
  0: 'Success',
  1: 'The tool failed, or the server rejected the request',
  2: 'Invalid usage',
  3: 'Authorization is missing or was refused',
  4: 'No connection, or no response in time',
} as const satisfies ExitCodes;

/** The last lines of a usage that a command formats itself. */
export const EXIT_CODES = formatExitCodes(CONNECTION_EXIT_CODES);

/** The values of {@link SERVER_OPTIONS}, or some of them. */
export interface ServerValues extends RedirectValues, HeaderValues {
  readonly token?: string | undefined;
  readonly 'token-env'?: string | undefined;
  readonly 'auth-param'?: readonly string[] | undefined;
  readonly 'client-id'?: string | undefined;
  readonly 'client-secret-env'?: string | undefined;
  readonly 'client-metadata-url'?: string | undefined;
  readonly issuer?: string | undefined;
  readonly scope?: readonly string[] | undefined;
  readonly 'insecure-host'?: readonly string[] | undefined;
  readonly 'assume-pkce-s256'?: readonly string[] | undefined;
  readonly 'ignore-issuer-slash'?: boolean | undefined;
  readonly dpop?: boolean | undefined;
  readonly timeout?: string | undefined;
  readonly 'max-bytes'?: string | undefined;
  readonly 'max-wait'?: string | undefined;
}

/**
 * Parses the options that all commands with a server share.
 *
 * @throws {UsageError} if an option is invalid
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
    limitWaitMs: values['max-wait'] === undefined ? 0 : parseTimeout(values['max-wait'], MAX_WAIT),
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
    parameters: parseParameters(values['auth-param']),
    loginTimeoutMs: values.timeout === undefined ? undefined : timeoutMs,
    insecureHosts: (values['insecure-host'] ?? []).map(parseHost),
    assumeS256: (values['assume-pkce-s256'] ?? []).map(parseIssuer),
    ignoreIssuerSlash: values['ignore-issuer-slash'] ?? false,
    dpop: values.dpop === true ? true : undefined,
  };
}

/** Node's maximum string length. */
const MOST_BYTES = 512 * 1024 * 1024;

/** Reads the option `--max-bytes`. */
export function parseLimit(text = String(MAXIMUM_RESPONSE_BYTES)): ResponseLimit {
  const maxBytes = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : Infinity;
  if (maxBytes > MOST_BYTES)
    throw new UsageError(`"--max-bytes" must be a whole number between 1 and ${MOST_BYTES}`);
  return { maxBytes, fix: `accept more with "--max-bytes ${Math.min(2 * maxBytes, MOST_BYTES)}"` };
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

/** Checks the value of `--insecure-host`. */
export function parseHost(text: string): string {
  if (isHostName(text)) return text;
  throw new UsageError('"--insecure-host" must be a host such as keycloak, without a scheme, port or path');
}

function parseIssuer(text: string): string {
  if (findUrl(text) !== undefined) return text;
  throw new UsageError(
    '"--assume-pkce-s256" must be an issuer such as https://login.example.com, exactly as the server names it',
  );
}

function parseScopes(text: string): readonly string[] {
  const scopes = parseScope(text);
  if (scopes.length > 0 && scopes.every(isScope)) return scopes;
  throw new UsageError('"--scope" must be a list of scopes, separated by spaces (RFC 6749 §3.3)');
}

/**
 * Reads the option `--auth-param`, each of the form `name=value`.
 *
 * @throws {UsageError} if one of them is invalid, is repeated, or is set by the login itself
 */
function parseParameters(texts: readonly string[] = []): AuthorizationParameters {
  const pairs = texts.map(parsePair);
  const parameters = Object.fromEntries(pairs);
  if (Object.keys(parameters).length < pairs.length)
    throw new UsageError('"--auth-param" must not repeat a parameter');
  const found = findParameterProblem(parameters);
  if (found === undefined) return parameters;
  throw new UsageError(`"--auth-param" must not contain ${quoteVisible(found.name)}: it ${found.problem}`);
}

function parsePair(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1)
    throw new UsageError(
      '"--auth-param" must be of the form "name=value", such as "audience=https://api.example.com"',
    );
  return [text.slice(0, at), text.slice(at + 1)];
}

/** The flags of options that disable a safe default, keyed by their names in code. */
const FLAGS: { readonly [option: string]: string } = {
  insecureHosts: '--insecure-host',
  assumeS256: '--assume-pkce-s256',
  ignoreIssuerSlash: '--ignore-issuer-slash',
};

/** Replaces token source option names with command-line flags. */
export function formatFlagNames(text: string): string {
  return Object.entries(FLAGS).reduce(
    (named, [option, flag]) => named.replaceAll(`"${option}"`, `"${flag}"`),
    text,
  );
}

/** The options to repeat for a login. `--header` may contain a secret, and is omitted. */
const NEEDED_AGAIN = [
  'client-id',
  'client-secret-env',
  'client-metadata-url',
  'issuer',
  'auth-param',
  'redirect-uri',
  'callback-port',
  'header-env',
  'insecure-host',
  'assume-pkce-s256',
  'ignore-issuer-slash',
  'dpop',
] as const;

/** The values of these options. */
type LoginValues = {
  readonly [Name in (typeof NEEDED_AGAIN)[number]]?: string | boolean | readonly string[] | undefined;
};

/** Lists a command's login options, each as one argument. */
export function listLoginOptions(values: LoginValues): readonly string[] {
  return NEEDED_AGAIN.flatMap((name) => {
    const given = values[name] ?? [];
    if (typeof given === 'boolean') return given ? [`--${name}`] : [];
    return [given].flat().map((value) => `--${name}=${value}`);
  });
}
