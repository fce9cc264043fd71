// This file contains the whole family, so all injected client errors can be compared on one page; most lines are
// docstrings.

import { redactCredentials } from '../../core/log/escape-text.js';
import type { ResponseTooLargeError } from '../../core/network/limited-fetch.js';
import { ErrorCode } from '../../core/protocol/error-codes.js';
import { TASKS_EXTENSION } from '../../core/protocol/meta-keys.js';
import { isObject, type JsonRpcErrorObject } from '../../core/protocol/json-rpc.js';
import type { RateLimit } from '../../core/protocol/rate-limited.error.js';
import type { RequiredElicitation } from '../../core/protocol/input-requests.js';
import { listCauses } from './connection/transient-errors.js';
import { INPUT_REQUEST_KINDS } from './handlers/input-request-metadata.js';

/**
 * Every injected client error extends this one. It has a stable code, the client's name, and a message that names the
 * fix.
 *
 * @example
 * if (error instanceof McpClientError && error.code === 'client_unavailable') return this.answerWithoutDesk();
 */
export abstract class McpClientError extends Error {
  /** Identifies the condition. It stays the same when messages change. */
  abstract readonly code: string;

  constructor(
    /** The client's name. */
    readonly client: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(redactCredentials(message), options);
  }
}

/** Thrown if a client cannot act on behalf of a caller because the caller's token does not identify the caller. */
export class CallerUnknownError extends McpClientError {
  override readonly name = 'CallerUnknownError';
  readonly code = 'caller_unknown';

  constructor(client: string, missing: string) {
    super(
      client,
      `The client "${client}" cannot act on behalf of this caller, ${missing}: get it in a call whose token has an issuer and a subject`,
    );
  }
}

type Capabilities = { readonly [name: string]: unknown };

/**
 * Thrown if the server requires a capability that the client has not declared, such as elicitation. The message
 * names the decorator or the option that provides it.
 *
 * @see MCP 2026-07-28 basic, error -32021
 */
export class McpCapabilityMissingError extends McpClientError {
  override readonly name = 'McpCapabilityMissingError';
  readonly code = 'capability_missing';

  constructor(
    client: string,
    /** The required capabilities, as a `ClientCapabilities` object. */
    readonly requiredCapabilities: { readonly [name: string]: unknown },
    cause: unknown,
  ) {
    super(
      client,
      `The server requires a capability that the client "${client}" does not declare: ${explainCapabilities(client, requiredCapabilities)}`,
      { cause },
    );
  }
}

/** The official client's code for an input request without a handler. */
const UNHANDLED = 'CAPABILITY_NOT_SUPPORTED';

/** Finds the capabilities that a server requires. Returns `undefined` if a request failed for another reason. */
export function findRequiredCapabilities(error: unknown): Capabilities | undefined {
  if (!isObject(error) || !isObject(error['data'])) return undefined;
  const { code, data } = error;
  if (code === UNHANDLED) {
    const kind = INPUT_REQUEST_KINDS.get(String(data['method']));
    return kind && { [kind]: {} };
  }
  const { requiredCapabilities } = data;
  const isMissing = code === ErrorCode.MissingRequiredClientCapability;
  return isMissing && isObject(requiredCapabilities) ? requiredCapabilities : undefined;
}

/** Describes how to provide the capabilities that a client lacks. */
export function explainCapabilities(client: string, required: Capabilities): string {
  const fixes = Object.entries(required).flatMap(([name, parts]) => explainOne(client, name, parts));
  return fixes.length === 0 ? 'set the client option "capabilities"' : fixes.join('; ');
}

function explainOne(client: string, name: string, parts: unknown): readonly string[] {
  const members = isObject(parts) ? Object.keys(parts) : [];
  switch (name) {
    case 'elicitation':
      return [
        members.includes('url')
          ? `to have the user open pages, add a method with @McpElicitation({ client: ${JSON.stringify(client)}, url: true }) to a provider`
          : `to ask the user, add a method with @McpElicitation(${JSON.stringify(client)}) to a provider`,
      ];
    case 'sampling':
      return [
        `to ask the model, add a method with @McpSampling(${JSON.stringify(client)}) to a provider`,
        ...members.map((member) => `set the client option "capabilities" to { sampling: { ${member}: {} } }`),
      ];
    case 'roots':
      return [`to list folders, add a method with @McpRoots(${JSON.stringify(client)}) to a provider`];
    case 'extensions':
      return members.map((id) =>
        id === TASKS_EXTENSION
          ? 'to run the call as a task, remove "tasks: false" from the client options'
          : `to use the extension ${JSON.stringify(id)}, add it to the client option "capabilities.extensions"`,
      );
    default:
      return [`set the client option "capabilities.${name}"`];
  }
}

/**
 * Thrown if the client is closed. The application was shut down, its owner closed it, or it was idle for a while and
 * acted on behalf of a caller.
 */
export class McpClientClosedError extends McpClientError {
  override readonly name = 'McpClientClosedError';
  readonly code = 'client_closed';

  constructor(client: string) {
    super(
      client,
      `The client "${client}" is closed: if it acts on behalf of a caller, get it from "McpClients" again`,
    );
  }
}

/** Facts about a program that failed to start. */
export interface FailedCommand {
  readonly command: string;
  /** The system's error code, for example `ENOENT`. */
  readonly code: string;
  /** Whether it had a `cwd`. The code does not show whether the folder or the program is missing. */
  readonly hasFolder: boolean;
}

/** Thrown if a server's program cannot be started. */
export class McpClientCommandError extends McpClientError {
  override readonly name = 'McpClientCommandError';
  /** The system's error code, for example `ENOENT`. */
  readonly code: string;

  constructor(client: string, { command, code, hasFolder }: FailedCommand, cause: unknown) {
    const folder = hasFolder ? ', and that the "cwd" folder does too' : '';
    super(
      client,
      `The client "${client}" cannot start "${command}" (${code}): make sure that the program exists${folder}`,
      { cause },
    );
    this.code = code;
  }
}

/** Thrown if a client's registration is invalid. The application does not start. */
export class McpClientConfigurationError extends Error {
  override readonly name = 'McpClientConfigurationError';

  constructor(
    /** The invalid property, for example `clients[1].url`. */
    readonly option: string,
    expected: string,
    options?: ErrorOptions,
  ) {
    super(`"${option}" ${expected}`, options);
  }
}

/** Thrown if the server limits the rate of calls, or the number of concurrent calls. The call has not run. */
export class McpClientLimitedError extends McpClientError {
  override readonly name = 'McpClientLimitedError';
  readonly code = 'client_limited';
  /** Milliseconds after which the server accepts requests again; 0 if unknown. */
  readonly retryAfterMs: number;

  constructor(
    client: string,
    /** The limit, as the server describes it. */
    readonly rateLimit: RateLimit,
    cause: unknown,
  ) {
    const { retryAfterMs } = rateLimit;
    super(
      client,
      `The server limits requests from the client "${client}": try again in ${retryAfterMs} ms, or let calls wait ("limitWaitMs")`,
      { cause },
    );
    this.retryAfterMs = retryAfterMs;
  }
}

/** Thrown if the server requires a token, and the client has none or the server refused it. */
export class McpClientUnauthorizedError extends McpClientError {
  override readonly name = 'McpClientUnauthorizedError';
  readonly code = 'client_unauthorized';

  constructor(client: string, hasToken: boolean, cause: unknown) {
    const reason = hasToken
      ? 'rejected the client token with status 401: check that "auth" provides one that is intended for this server and has not expired'
      : 'requires a token, but the client sends none: set "auth", for example to new StaticTokenSource(token)';
    super(client, `The server for the client "${client}" ${reason}`, { cause });
  }
}

/** Facts about a connection that could not be opened. */
export interface MissingConnection {
  /** The URL or the server's command. */
  readonly server: string;
  /** Milliseconds that the call waited. */
  readonly waitedMs: number;
  /** The error from the last attempt; absent if the first one is still running. */
  readonly cause: unknown;
}

/** Thrown if the server could not be reached within the time that a call waits. The message contains the reason. */
export class McpClientUnavailableError extends McpClientError {
  override readonly name = 'McpClientUnavailableError';
  readonly code = 'client_unavailable';
  /** Milliseconds that the call waited. */
  readonly waitedMs: number;

  constructor(client: string, { server, waitedMs, cause }: MissingConnection) {
    super(
      client,
      `The client "${client}" could not connect to ${server} within ${waitedMs} ms: ${explainMissing(cause)}, call again later, or let calls wait longer ("reconnect.waitMs")`,
      { cause },
    );
    this.waitedMs = waitedMs;
  }
}

const ADDRESS = 'check the host and port in its URL';
const NETWORK = 'check the network and any firewalls in between';
const CUT = 'the connection was closed before a complete response arrived: check the server log';

/** The meaning of system and `fetch` error codes, and the fix. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', `nothing is listening there: start the server, ${ADDRESS}`],
  ['ENOTFOUND', 'DNS cannot resolve the host: check the host in its URL'],
  ['EAI_AGAIN', `DNS does not respond: ${NETWORK}`],
  ['EHOSTUNREACH', `there is no route to it: ${NETWORK}`],
  ['ENETUNREACH', `there is no route to it: ${NETWORK}`],
  ['ETIMEDOUT', `the connection was not accepted in time: ${NETWORK}`],
  ['UND_ERR_CONNECT_TIMEOUT', `the connection was not accepted in time: ${NETWORK}`],
  ['ECONNRESET', CUT],
  ['EPIPE', CUT],
  ['UND_ERR_SOCKET', CUT],
  ['CERT_HAS_EXPIRED', 'its certificate has expired: renew it'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for a different host: check the host in its URL'],
  ['EPROTO', 'it does not use TLS as expected: check the scheme in its URL'],
  ['REQUEST_TIMEOUT', 'the server did not respond in time: check its log'],
  ['CONNECTION_CLOSED', 'the connection was closed: check the server log'],
]);

/** The codes for certificates from an unknown authority. */
const UNTRUSTED = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/;

/** A code from the system, TLS or `fetch`. */
const SYSTEM_CODE =
  /^(?:E[A-Z0-9]+|EAI_\w+|UND_ERR_\w+|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+|HPE_\w+)$/;

/** The maximum number of characters in a message that may come from the server. */
const LONGEST = 200;

function explainMissing(cause: unknown): string {
  const problems = listCauses(cause);
  const codes = problems.map(({ code }) => code).filter((code) => typeof code === 'string');
  const code = codes.find((one) => SYSTEM_CODE.test(one)) ?? codes.find((one) => REASONS.has(one));
  if (code !== undefined) return explainCode(code);
  const status = problems.map((problem) => problem.status).find((one) => typeof one === 'number');
  if (status !== undefined) return `the server responds with status ${status}: check its log`;
  const { message } = problems.at(-1) ?? {};
  return typeof message === 'string' && message !== ''
    ? message.slice(0, LONGEST)
    : 'no response has arrived yet';
}

function explainCode(code: string): string {
  if (UNTRUSTED.test(code)) {
    return `${code}, its certificate is not trusted: for a private certificate authority, set NODE_EXTRA_CA_CERTS`;
  }
  const reason = REASONS.get(code);
  return reason === undefined ? `${code}: see "cause"` : `${code}, ${reason}`;
}

/** Thrown if the connection was lost during a call. It is unknown whether the server has run the request. */
export class McpConnectionLostError extends McpClientError {
  override readonly name = 'McpConnectionLostError';
  readonly code = 'connection_lost';

  constructor(client: string, cause: unknown) {
    super(
      client,
      `The client "${client}" lost its connection before the response arrived: call again if the call is safe to repeat`,
      { cause },
    );
  }
}

/** Thrown if the official client, which this module needs, is not installed. */
export class OfficialClientMissingError extends McpClientError {
  override readonly name = 'OfficialClientMissingError';
  readonly code = 'official_client_missing';

  constructor(client: string, cause: unknown) {
    super(
      client,
      `The client "${client}" requires the package "@modelcontextprotocol/client": run "npm install @modelcontextprotocol/client"`,
      { cause },
    );
  }
}

/** Thrown if a server's input request has no handler, or if its handler failed. The message is sent to the server. */
export class QuestionUnansweredError extends McpClientError {
  override readonly name = 'QuestionUnansweredError';
  readonly code = 'question_unanswered';

  constructor(
    client: string,
    /** For example `elicitation/create`. */
    readonly method: string,
    cause?: unknown,
  ) {
    super(client, `The input request ${JSON.stringify(method.slice(0, 100))} could not be handled`, {
      cause,
    });
  }
}

/** Thrown if the server sends more than the client accepts, in bytes, values or nesting. A tool may have run, but its result is lost. */
export class McpResponseTooLargeError extends McpClientError {
  override readonly name = 'McpResponseTooLargeError';
  readonly code = 'response_too_large';
  /** The maximum number of bytes that the client accepts. */
  readonly maxBytes: number;

  constructor(client: string, cause: ResponseTooLargeError) {
    super(client, `The server for the client "${client}" ${cause.reason}`, { cause });
    this.maxBytes = cause.response.maxBytes;
  }
}

/** Thrown if the server ended the session. The client starts another. */
export class SessionEndedError extends McpClientError {
  override readonly name = 'SessionEndedError';
  readonly code = 'session_ended';

  constructor(client: string) {
    super(client, `The server ended the session of the client "${client}", which starts a new one`);
  }
}

/**
 * The difference from the skill that the server listed.
 * - `digest`, `size`: the bytes
 * - `frontmatter`: the frontmatter of `SKILL.md`
 * - `unlisted`: a file that the skill does not list
 * - `limit`: a skill that is larger than hosts accept
 * - `entry`: the skill itself
 */
export type SkillProblem = 'digest' | 'size' | 'frontmatter' | 'unlisted' | 'limit' | 'entry';

/**
 * Thrown if a file differs from its skill's listing, or if a skill is malformed. Do not use that file or skill. If
 * the skill has changed, get it again, and ask the person who approved it to approve the new version.
 *
 * @see MCP extension skills, "Integrity and Verification"
 */
export class SkillUnverifiedError extends McpClientError {
  override readonly name = 'SkillUnverifiedError';
  readonly code = 'skill_unverified';

  constructor(
    client: string,
    /** The file or the skill. */
    readonly uri: string,
    readonly problem: SkillProblem,
    explanation: string,
    options?: ErrorOptions,
  ) {
    super(client, `The client "${client}" cannot use ${JSON.stringify(uri)}: ${explanation}`, options);
  }
}

/** Thrown if the server does not declare skills, or does not declare that it can list their folders. */
export class SkillsUnsupportedError extends McpClientError {
  override readonly name = 'SkillsUnsupportedError';
  readonly code = 'skills_unsupported';

  constructor(client: string, what: 'skills' | 'skill folders') {
    super(client, `The server for the client "${client}" does not declare ${what}`);
  }
}

/** Facts about a task that ended without a result. */
export interface EndedTask {
  readonly taskId: string;
  /**
   * Its last status. `failed` and `cancelled` are final. `working` and `input_required` mean that the client stopped
   * following it. `lost` means that the server no longer returns the task.
   */
  readonly status: string;
  /** Why the client stopped following it, or why it was lost; absent if the server ended it. */
  readonly reason?: string;
  /** The error that the server returned. */
  readonly error?: JsonRpcErrorObject | undefined;
}

/**
 * Thrown if a call became a task that ended without a result.
 *
 * @see MCP extension tasks
 */
export class McpTaskEndedError extends McpClientError {
  override readonly name = 'McpTaskEndedError';
  readonly code = 'task_ended';
  readonly taskId: string;
  /**
   * The task's last status. `failed` and `cancelled` are final. `working` and `input_required` mean that the client
   * stopped following it. `lost` means that the server no longer returns the task.
   */
  readonly status: string;
  /** The error that the server returned for the task. */
  readonly error: JsonRpcErrorObject | undefined;

  constructor(client: string, { taskId, status, reason, error }: EndedTask) {
    const why = reason ?? error?.message;
    const about = why === undefined ? '' : `: ${why}`;
    super(
      client,
      `The task ${JSON.stringify(taskId)} of the client "${client}" ended as "${status}"${about}`,
    );
    this.taskId = taskId;
    this.status = status;
    this.error = error;
  }
}

/**
 * Thrown if the user must open URLs before the server can handle the request, which has not run.
 *
 * @see MCP 2025-11-25 client/elicitation, "URL Elicitation Required Error"
 */
export class McpUrlElicitationRequiredError extends McpClientError {
  override readonly name = 'McpUrlElicitationRequiredError';
  readonly code = 'url_elicitation_required';

  constructor(
    client: string,
    /** The URLs. Show the user the complete URL before you open it. */
    readonly elicitations: readonly RequiredElicitation[],
    cause: unknown,
  ) {
    super(
      client,
      `The server for the client "${client}" requires the user to open a page first: ask the user to open the URLs in "elicitations", then call again`,
      { cause },
    );
  }
}
