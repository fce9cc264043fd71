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
import { CONNECTION_HELP, formatExitCodes, type ExitCodes, type OptionDeclarations } from '../help.js';
import { UsageError } from '../usage.error.js';
import { quoteVisible } from '../visible-text.js';
import { type GivenHeaders, HEADER_OPTIONS, type HeaderValues, readHeaders } from './parse-header.js';
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
    throw new UsageError('"--redirect-uri" cannot be combined with "--callback-port": give one of them');
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

const MAX_WAIT: TimeoutBounds = { option: '--max-wait', usualMs: 0, longestMs: SERVER_TIMEOUT.longestMs };

/** The options that relax what an authorization server must comply with. */
export const LENIENCY_OPTIONS = {
  'insecure-host': {
    type: 'string',
    multiple: true,
    value: '<host>',
    summary: 'Allow plain HTTP to this host, such as keycloak',
  },
  'ignore-issuer-slash': {
    type: 'boolean',
    summary: 'Treat issuers as equal if they differ only in a trailing slash',
  },
} as const satisfies OptionDeclarations;

/** The options that identify an OAuth client that was registered beforehand. */
export const CLIENT_OPTIONS = {
  'client-id': {
    type: 'string',
    value: '<id>',
    summary: 'Client ID that you registered with the authorization server',
  },
  'client-secret-env': {
    type: 'string',
    value: '<name>',
    summary: 'Environment variable that contains the client secret',
  },
} as const satisfies OptionDeclarations;

/** The options of a request to a server and of a login. */
export const LOGIN_OPTIONS = {
  ...CLIENT_OPTIONS,
  'client-metadata-url': {
    type: 'string',
    value: '<url>',
    summary: 'HTTPS URL of a client metadata document, which serves as the client ID',
  },
  issuer: {
    type: 'string',
    value: '<url>',
    summary: 'Issuer to log in with; required if it does not identify itself in its responses',
  },
  scope: {
    type: 'string',
    multiple: true,
    value: '<scope>',
    summary: 'OAuth scope to request, in addition to the scopes that the server requires',
  },
  'auth-param': {
    type: 'string',
    multiple: true,
    value: '<name=value>',
    summary: 'Additional parameter of the authorization request, such as audience=...',
  },
  'redirect-uri': {
    type: 'string',
    value: '<url>',
    summary: 'Redirect URI of the login: an HTTP URL on this machine',
    fallback: 'a free port of http://127.0.0.1/callback',
  },
  'callback-port': {
    type: 'string',
    value: '<port>',
    summary: 'Port of the redirect URI http://127.0.0.1:<port>/callback',
    fallback: 'a free port',
  },
  ...HEADER_OPTIONS,
  ...LENIENCY_OPTIONS,
  'assume-pkce-s256': {
    type: 'string',
    multiple: true,
    value: '<issuer>',
    summary: 'Issuer that supports PKCE with S256 without advertising it, such as Entra ID or Cognito',
  },
  dpop: { type: 'boolean', summary: 'Request DPoP-bound tokens even if the server accepts bearer tokens' },
  timeout: {
    type: 'string',
    value: '<ms>',
    summary: 'Timeout for a response, and for a call that reports no progress',
    fallback: '60000; 300000 for a login',
  },
  'max-bytes': {
    type: 'string',
    value: '<number>',
    summary: 'Size limit for one response, one event of a stream, or all pages of a list',
    fallback: String(MAXIMUM_RESPONSE_BYTES),
  },
} as const satisfies OptionDeclarations;

/** The options that pass an access token. */
export const TOKEN_OPTIONS = {
  'token-env': {
    type: 'string',
    value: '<name>',
    summary: 'Environment variable that contains an access token',
    fallback: 'MCP_TOKEN, or the stored login',
  },
  token: {
    type: 'string',
    value: '<token>',
    summary: 'Access token; prefer an environment variable, because arguments are visible in "ps"',
  },
} as const satisfies OptionDeclarations;

/** The options of all commands that send requests to a server at a URL. */
export const SERVER_OPTIONS = {
  ...TOKEN_OPTIONS,
  ...LOGIN_OPTIONS,
  'max-wait': {
    type: 'string',
    value: '<ms>',
    summary: 'Total time to wait and retry if the server limits requests',
    fallback: '0',
  },
} as const satisfies OptionDeclarations;

/** The lines about connection options in a usage that a command formats by itself. */
export const SERVER_USAGE = `\n${CONNECTION_HELP}`;

/** What most commands exit with. */
export const CONNECTION_EXIT_CODES = {
  0: 'Success',
  1: 'The tool failed, or the server rejected the request',
  2: 'Invalid usage',
  3: 'Authorization is missing or was refused',
  4: 'No connection, or no response in time',
} as const satisfies ExitCodes;

/** The last lines of a usage that a command formats by itself. */
export const EXIT_CODES = formatExitCodes(CONNECTION_EXIT_CODES);

/** What the options of {@link SERVER_OPTIONS}, or some of them, were given. */
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
    '"--assume-pkce-s256" must be an issuer such as https://login.example.com, as the server names it',
  );
}

function parseScopes(text: string): readonly string[] {
  const scopes = parseScope(text);
  if (scopes.length > 0 && scopes.every(isScope)) return scopes;
  throw new UsageError('"--scope" must be scopes with spaces between them (RFC 6749 §3.3)');
}

/**
 * Reads the option `--auth-param`, each of the form `name=value`.
 *
 * @throws {UsageError} if one of them is not valid, comes twice, or is set by the login itself
 */
function parseParameters(texts: readonly string[] = []): AuthorizationParameters {
  const pairs = texts.map(parsePair);
  const parameters = Object.fromEntries(pairs);
  if (Object.keys(parameters).length < pairs.length)
    throw new UsageError('"--auth-param" must name no parameter twice');
  const found = findParameterFault(parameters);
  if (found === undefined) return parameters;
  throw new UsageError(`"--auth-param" must not have ${quoteVisible(found.name)}: it ${found.fault}`);
}

function parsePair(text: string): readonly [name: string, value: string] {
  const at = text.indexOf('=');
  if (at < 1)
    throw new UsageError(
      '"--auth-param" must be of the form "name=value", such as "audience=https://api.example.com"',
    );
  return [text.slice(0, at), text.slice(at + 1)];
}

/** The names of settings that turn off a safe default: the option of programs, and the option of the command line. */
const FLAGS: { readonly [option: string]: string } = {
  insecureHosts: '--insecure-host',
  assumeS256: '--assume-pkce-s256',
  ignoreIssuerSlash: '--ignore-issuer-slash',
};

/** Names flags in a text that names the options of a token source. */
export function formatFlagNames(text: string): string {
  return Object.entries(FLAGS).reduce(
    (named, [option, flag]) => named.replaceAll(`"${option}"`, `"${flag}"`),
    text,
  );
}

/** The options that a later login needs again. A header that is given as it is may be a secret, and is not written out. */
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

/** What they were given. */
type LoginValues = {
  readonly [Name in (typeof NEEDED_AGAIN)[number]]?: string | boolean | readonly string[] | undefined;
};

/** Lists the options that a command was given for a login, each as one word of a command line. */
export function listLoginOptions(values: LoginValues): readonly string[] {
  return NEEDED_AGAIN.flatMap((name) => {
    const given = values[name] ?? [];
    if (typeof given === 'boolean') return given ? [`--${name}`] : [];
    return [given].flat().map((value) => `--${name}=${value}`);
  });
}
