import {
  ClientAuthError,
  DiscoveryFailedError,
  LoginRefusedError,
  LoginTimedOutError,
  NoAuthorizationServerError,
  RedirectRefusedError,
  RedirectUnavailableError,
  RegistrationUnavailableError,
  TokenRequestRefusedError,
} from '../../lib/client/authorization/index.js';
import { ResponseTooLargeError } from '../../lib/core/network/limited-fetch.js';
import { findServerLimit } from '../../lib/core/protocol/rate-limited.error.js';
import { findRequiredElicitations } from '../../lib/core/protocol/input-requests.js';
import { ExitCode } from '../command.interface.js';
import { buildProbeError } from '../doctor/probe/build-probe-error.js';
import { TaskEndedError, TaskStalledError } from '../call/task.errors.js';
import { explainUsage, type Failure } from '../run-safely.js';
import { makeLine, makeVisible } from '../visible-text.js';
import { explainResponse, findResponseError } from './explain-response.js';
import { formatTimeoutHint } from './parse-timeout.js';
import { formatFlagNames } from './server-options.js';
import { ServerEndedError } from './server-process.js';
import { ProbeError } from '../../lib/core/doctor/probe/probe-wire.js';
import { isObject } from '../../lib/core/protocol/json-rpc.js';

/** Thrown if a server is unavailable. Names the server. */
export class ServerFailureError extends Error {
  override readonly name = 'ServerFailureError';

  constructor(
    /** Its URL, or the command that started it. */
    readonly server: string,
    cause: unknown,
  ) {
    super(`The server at "${server}" failed`, { cause });
  }
}

/** The maximum depth of causes. */
const DEEPEST = 8;

/** The suggested wait if the server does not specify one. */
const USUAL_WAIT_MS = 60_000;

/** Explains an error. Returns `undefined` for a program bug. */
export function explainFailure(error: unknown): Failure | undefined {
  const chain = unwrap(error);
  for (const explain of EXPLANATIONS) {
    const failure = chain.map(explain).find((found) => found !== undefined);
    if (failure !== undefined) return addServerName(failure, chain);
  }
  return undefined;
}

/** Adds the URL or the server's command, if it is known. */
function addServerName({ exitCode, message }: Failure, chain: readonly Error[]): Failure {
  const failed = chain.find((error) => error instanceof ServerFailureError);
  if (failed === undefined || exitCode !== ExitCode.connection) return { exitCode, message };
  const server = makeLine(failed.server);
  const named = message
    .replace(/^The server (?!at )(?!")/, `The server at "${server}" `)
    .replace(/(?<=^Nothing serves MCP at )this URL/, `"${server}"`);
  return { exitCode, message: named };
}

/** Returns an error and its causes, which the official client also stores in "data". */
function unwrap(error: unknown): readonly Error[] {
  const chain: Error[] = [];
  let one: unknown = error;
  while (isObject(one) && typeof one['message'] === 'string' && chain.length < DEEPEST) {
    chain.push(one as unknown as Error);
    const { cause, data } = one;
    one = cause ?? (isObject(data) ? data['cause'] : undefined);
  }
  return chain;
}

function explainAuthorization(error: Error): Failure | undefined {
  const exitCode = ExitCode.authorization;
  if (error instanceof ClientAuthError)
    return { exitCode, message: makeVisible(formatFlagNames(nameFlags(error))) };
  const { status, requiredScope } = error as { readonly status?: unknown; readonly requiredScope?: unknown };
  if (status === 401) {
    return {
      exitCode,
      message: '401 Unauthorized: the server rejected the token',
    };
  }
  if (error.name === 'InsufficientScopeError') return { exitCode, message: explainScope(requiredScope) };
  if (status === 403) {
    const { message = 'obtain a token that allows the request' } = findResponseError(error) ?? {};
    return { exitCode, message: `403 Forbidden: ${message}` };
  }
  return undefined;
}

/** The official client has a separate error for missing scopes. */
function explainScope(requiredScope: unknown): string {
  const lacking =
    typeof requiredScope === 'string' ? `"${makeLine(requiredScope)}"` : 'what the call requires';
  return `The token does not allow ${lacking}: log in with "--scope", or pass another token`;
}

/** Replaces option names in code with command-line flags. */
function nameFlags(error: ClientAuthError): string {
  if (error instanceof NoAuthorizationServerError) {
    return 'The server does not name an authorization server, so you cannot log in: pass a fixed token to the other commands with "--token-env"';
  }
  if (error instanceof DiscoveryFailedError)
    return `${error.message}, or pass a token to the other commands with "--token-env"`;
  if (error instanceof RedirectRefusedError)
    return error.message.replace(/use "?(that|another) URL"? as "serverUrl"/, 'pass $1 URL');
  if (error instanceof LoginTimedOutError)
    return `${error.message}, or ${formatTimeoutHint(error.timeoutMs)}`;
  if (error instanceof RedirectUnavailableError)
    return error.message.replace('a different "redirectUri"', 'a different port with "--callback-port"');
  if (error instanceof LoginRefusedError || error instanceof TokenRequestRefusedError)
    return nameLoginFlags(error.message);
  if (!(error instanceof RegistrationUnavailableError)) return error.message;
  return error.message
    .replaceAll('"clientId"', '"--client-id"')
    .replace('set "issuer" to it', 'pass it with "--issuer"')
    .replace('set "issuer"', 'run "npx nestjs-mcp-cli logout" first');
}

/** The options that a fix names, and their flags. */
const LOGIN_FLAGS: readonly (readonly [option: string, flag: string])[] = [
  ['"scopes"', '"--scope"'],
  ['"clientId"', '"--client-id"'],
  ['"clientSecret"', '"--client-secret-env"'],
  [
    'set "redirectUri" to a registered one',
    'pass a registered one with "--redirect-uri" or "--callback-port"',
  ],
  ['in "authorizationParameters"', 'in "--auth-param"'],
];

function nameLoginFlags(message: string): string {
  return LOGIN_FLAGS.reduce((text, [option, flag]) => text.replaceAll(option, flag), message);
}

/** The server rejects requests for a while. */
function explainLimit(error: Error): Failure | undefined {
  const limit = findServerLimit(error);
  if (limit === undefined) return undefined;
  const seconds = Math.ceil(limit.retryAfterMs / 1000);
  const time = seconds === 0 ? 'later' : `in ${seconds} s`;
  const waitMs = seconds === 0 ? USUAL_WAIT_MS : seconds * 1000;
  const message = `The server is rate limiting requests: try again ${time}, or pass "--max-wait ${waitMs}" to wait and retry`;
  return { exitCode: ExitCode.failure, message };
}

/** The server requires the user to open a URL before it performs the call. */
function explainRequiredElicitations(error: Error): Failure | undefined {
  const pages = findRequiredElicitations(error);
  if (pages === undefined || pages.length === 0) return undefined;
  const named = pages.map(({ message, url }) => `${makeLine(message)} at ${makeLine(url)}`);
  return {
    exitCode: ExitCode.failure,
    message: `The server requires you to open a page before you call again: ${named.join('; ')}`,
  };
}

/** The official client throws it in several forms. */
function explainSize(error: Error): Failure | undefined {
  const tooLarge = ResponseTooLargeError.find(error);
  return tooLarge && { exitCode: ExitCode.connection, message: makeLine(tooLarge.message) };
}

/** Explains a JSON-RPC error from the server. */
function explainRpcError(error: Error): Failure | undefined {
  const { code, message } = error as { readonly code?: unknown; readonly message: string };
  if (error instanceof TaskEndedError) return { exitCode: ExitCode.failure, message };
  if (typeof code !== 'number' || error instanceof DOMException) return undefined;
  return {
    exitCode: ExitCode.failure,
    message: `The server rejected the request with ${code}: ${makeLine(message)}`,
  };
}

/** Explains a network or operating system error. */
function explainNetworkError(error: Error): Failure | undefined {
  const exitCode = ExitCode.connection;
  if (error instanceof TaskStalledError || error instanceof ServerEndedError)
    return { exitCode, message: error.message };
  // Errors from "fetch" have no code for that.
  if (error.message === 'bad port')
    return {
      exitCode,
      message: 'The server has a port that web clients refuse to connect to: choose another',
    };
  const { code } = error as { readonly code?: unknown };
  const isSystem = typeof code === 'string' && !error.name.startsWith('Sdk');
  if (!isSystem && !(error instanceof ProbeError)) return undefined;
  return { exitCode, message: addFix(buildProbeError(error, 0).message, error) };
}

/** Explains why the official client rejects a response. */
function explainUnusableResponse(error: Error): Failure | undefined {
  const message = explainResponse(error);
  return message === undefined ? undefined : { exitCode: ExitCode.connection, message };
}

/** The explanations in order of precedence. */
const EXPLANATIONS = [
  explainUsage,
  explainAuthorization,
  explainLimit,
  explainRequiredElicitations,
  explainSize,
  explainRpcError,
  explainNetworkError,
  explainUnusableResponse,
];

const ADDRESS = 'check the host and port of its URL';

const NAME = 'check the host of its URL, and your network connection';

/** Fixes for operating system error codes. */
const FIXES: ReadonlyMap<unknown, string> = new Map([
  ['ECONNREFUSED', `start it, or ${ADDRESS}`],
  ['ENOTFOUND', 'check the host of its URL'],
  ['EAI_AGAIN', NAME],
  ['CERT_HAS_EXPIRED', 'renew it'],
  ['CERT_NOT_YET_VALID', "check this machine's clock"],
  [
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'use a host name that the certificate covers, or install a certificate for this one',
  ],
  ['ECONNRESET', 'check the log of the server, or of the proxy in front of it'],
  ['UND_ERR_SOCKET', 'check the log of the server, or of the proxy in front of it'],
  ['EHOSTUNREACH', NAME],
  ['ENETUNREACH', NAME],
  ['ETIMEDOUT', `${ADDRESS}, and any firewalls in between`],
  ['UND_ERR_CONNECT_TIMEOUT', `${ADDRESS}, and any firewalls in between`],
]);

/** Appends a fix to a message about a connection, if one is known. */
export function addFix(message: string, error: Error): string {
  const system = error instanceof ProbeError ? error.cause : error;
  const fix = FIXES.get(isObject(system) ? system['code'] : undefined);
  return fix === undefined ? message : `${message}: ${fix}`;
}
