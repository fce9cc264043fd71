// One file for the whole family, so that all errors of injected clients are found and compared on one page; most lines are docstrings.

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
 * Every error of injected clients extends this one. It has a stable code, the client's name, and a message that names
 * the fix.
 *
 * @example
 * if (error instanceof McpClientError && error.code === 'client_unavailable') return this.answerWithoutDesk();
 */
export abstract class McpClientError extends Error {
  /** Identifies the condition. It stays the same when messages change. */
  abstract readonly code: string;

  constructor(
    /** The name of the client. */
    readonly client: string,
    message: string,
    options?: ErrorOptions,
  ) {
    super(redactCredentials(message), options);
  }
}

/** Is thrown if a client cannot act for a caller because the caller's token does not identify the caller. */
export class CallerUnknownError extends McpClientError {
  override readonly name = 'CallerUnknownError';
  readonly code = 'caller_unknown';

  constructor(client: string, missing: string) {
    super(
      client,
      `The client "${client}" cannot act for this caller, ${missing}: ask for it in a call whose token has an issuer and a subject`,
    );
  }
}

type Capabilities = { readonly [name: string]: unknown };

/**
 * Is thrown if the server requires a capability that the client has not declared, such as elicitation. The message
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
      `The server needs what the client "${client}" does not declare: ${explainCapabilities(client, requiredCapabilities)}`,
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
  return fixes.length === 0 ? 'set "capabilities" of the client' : fixes.join('; ');
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
        ...members.map((member) => `set "capabilities" of the client to { sampling: { ${member}: {} } }`),
      ];
    case 'roots':
      return [`to list folders, add a method with @McpRoots(${JSON.stringify(client)}) to a provider`];
    case 'extensions':
      return members.map((id) =>
        id === TASKS_EXTENSION
          ? 'to run the call as a task, leave out "tasks: false" of the client'
          : `to use the extension ${JSON.stringify(id)}, set it in "capabilities.extensions" of the client`,
      );
    default:
      return [`set "capabilities.${name}" of the client`];
  }
}

/** Is thrown if the client is closed. The application ended, its owner closed it, or its caller did not use it for a while. */
export class McpClientClosedError extends McpClientError {
  override readonly name = 'McpClientClosedError';
  readonly code = 'client_closed';

  constructor(client: string) {
    super(client, `The client "${client}" is closed: if it acts for a caller, ask "McpClients" for it again`);
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

/** Is thrown if the program of a server cannot be started. */
export class McpClientCommandError extends McpClientError {
  override readonly name = 'McpClientCommandError';
  /** The system's error code, for example `ENOENT`. */
  readonly code: string;

  constructor(client: string, { command, code, hasFolder }: FailedCommand, cause: unknown) {
    const folder = hasFolder ? ', and the folder of "cwd"' : '';
    super(
      client,
      `The client "${client}" cannot start "${command}" (${code}): make sure that the program exists${folder}`,
      { cause },
    );
    this.code = code;
  }
}

/** Is thrown if a client is registered wrongly: the application does not start. */
export class McpClientConfigurationError extends Error {
  override readonly name = 'McpClientConfigurationError';

  constructor(
    /** What is wrong, for example `clients[1].url`. */
    readonly option: string,
    expected: string,
    options?: ErrorOptions,
  ) {
    super(`"${option}" ${expected}`, options);
  }
}

/** Is thrown if the server limits how often it may be called, or how many calls may run at once. It has not run the call. */
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
      `The server of the client "${client}" limits requests: try again in ${retryAfterMs} ms, or let calls wait ("limitWaitMs")`,
      { cause },
    );
    this.retryAfterMs = retryAfterMs;
  }
}

/** Is thrown if the server requires a token, and the client has none or the server refused it. */
export class McpClientUnauthorizedError extends McpClientError {
  override readonly name = 'McpClientUnauthorizedError';
  readonly code = 'client_unauthorized';

  constructor(client: string, hasToken: boolean, cause: unknown) {
    const reason = hasToken
      ? 'refused the token of the client, with status 401: check that "auth" gives one that is meant for this server and has not expired'
      : 'wants a token, and the client sends none: set "auth", for example to new StaticTokenSource(token)';
    super(client, `The server of the client "${client}" ${reason}`, { cause });
  }
}

/** Facts about a connection that could not be opened. */
export interface MissingConnection {
  /** The URL or the command of the server. */
  readonly server: string;
  /** Milliseconds that the call waited. */
  readonly waitedMs: number;
  /** The error of the last attempt; absent if the first one is still running. */
  readonly cause: unknown;
}

/** Is thrown if the server could not be reached within the time that a call waits. The message contains the reason. */
export class McpClientUnavailableError extends McpClientError {
  override readonly name = 'McpClientUnavailableError';
  readonly code = 'client_unavailable';
  /** Milliseconds that the call waited. */
  readonly waitedMs: number;

  constructor(client: string, { server, waitedMs, cause }: MissingConnection) {
    super(
      client,
      `The client "${client}" has no connection to ${server} after ${waitedMs} ms: ${explainMissing(cause)}, call again later, or let calls wait longer ("reconnect.waitMs")`,
      { cause },
    );
    this.waitedMs = waitedMs;
  }
}

const ADDRESS = 'check the host and the port of its URL';
const NETWORK = 'check the network, and firewalls on the way';
const CUT = 'the connection was closed before an answer was whole: see the log of the server';

/** The meaning of system and `fetch` error codes, and the fix. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', `nothing listens there: start the server, ${ADDRESS}`],
  ['ENOTFOUND', 'DNS does not know the host: check the host of its URL'],
  ['EAI_AGAIN', `DNS does not answer: ${NETWORK}`],
  ['EHOSTUNREACH', `there is no route to it: ${NETWORK}`],
  ['ENETUNREACH', `there is no route to it: ${NETWORK}`],
  ['ETIMEDOUT', `the connection was not accepted in time: ${NETWORK}`],
  ['UND_ERR_CONNECT_TIMEOUT', `the connection was not accepted in time: ${NETWORK}`],
  ['ECONNRESET', CUT],
  ['EPIPE', CUT],
  ['UND_ERR_SOCKET', CUT],
  ['CERT_HAS_EXPIRED', 'its certificate has expired: renew it'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another host: check the host of its URL'],
  ['EPROTO', 'it does not speak TLS as expected: check the scheme of its URL'],
  ['REQUEST_TIMEOUT', 'the server did not answer in time: see its log'],
  ['CONNECTION_CLOSED', 'the connection was closed: see the log of the server'],
]);

/** The codes of certificates from an unknown authority. */
const UNTRUSTED = /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_)/;

/** A code of the system, of TLS or of `fetch`. */
const SYSTEM_CODE =
  /^(?:E[A-Z0-9]+|EAI_\w+|UND_ERR_\w+|CERT_\w+|DEPTH_ZERO_\w+|SELF_SIGNED_\w+|UNABLE_TO_\w+|HPE_\w+)$/;

/** Characters of a message that may be the server's. */
const LONGEST = 200;

function explainMissing(cause: unknown): string {
  const problems = listCauses(cause);
  const codes = problems.map(({ code }) => code).filter((code) => typeof code === 'string');
  const code = codes.find((one) => SYSTEM_CODE.test(one)) ?? codes.find((one) => REASONS.has(one));
  if (code !== undefined) return explainCode(code);
  const status = problems.map((problem) => problem.status).find((one) => typeof one === 'number');
  if (status !== undefined) return `the server answers with status ${status}: see its log`;
  const { message } = problems.at(-1) ?? {};
  return typeof message === 'string' && message !== '' ? message.slice(0, LONGEST) : 'no answer has come yet';
}

function explainCode(code: string): string {
  if (UNTRUSTED.test(code)) {
    return `${code}, its certificate is not trusted: for an authority of your own set NODE_EXTRA_CA_CERTS`;
  }
  const reason = REASONS.get(code);
  return reason === undefined ? `${code}: see "cause"` : `${code}, ${reason}`;
}

/** Is thrown if the connection was lost during a call. It is unknown whether the server has run the request. */
export class McpConnectionLostError extends McpClientError {
  override readonly name = 'McpConnectionLostError';
  readonly code = 'connection_lost';

  constructor(client: string, cause: unknown) {
    super(
      client,
      `The client "${client}" lost its connection before the answer came: call again if the server may do it twice`,
      { cause },
    );
  }
}

/** Is thrown if the official client, which this module needs, is not installed. */
export class OfficialClientMissingError extends McpClientError {
  override readonly name = 'OfficialClientMissingError';
  readonly code = 'official_client_missing';

  constructor(client: string, cause: unknown) {
    super(
      client,
      `The client "${client}" needs the package "@modelcontextprotocol/client": run "npm install @modelcontextprotocol/client"`,
      { cause },
    );
  }
}

/** Is thrown if an input request of a server has no handler, or if its handler failed. The message is sent to the server. */
export class QuestionUnansweredError extends McpClientError {
  override readonly name = 'QuestionUnansweredError';
  readonly code = 'question_unanswered';

  constructor(
    client: string,
    /** For example `elicitation/create`. */
    readonly method: string,
    cause?: unknown,
  ) {
    super(client, `The question ${JSON.stringify(method.slice(0, 100))} could not be answered`, { cause });
  }
}

/** Is thrown if the server sends more than the client accepts, in bytes, values or nesting. A tool may have run, but its result is lost. */
export class McpResponseTooLargeError extends McpClientError {
  override readonly name = 'McpResponseTooLargeError';
  readonly code = 'response_too_large';
  /** The most bytes that the client accepts. */
  readonly maxBytes: number;

  constructor(client: string, cause: ResponseTooLargeError) {
    super(client, `The server of the client "${client}" ${cause.reason}`, { cause });
    this.maxBytes = cause.response.maxBytes;
  }
}

/** Is thrown if the server has ended the session. The client begins another. */
export class SessionEndedError extends McpClientError {
  override readonly name = 'SessionEndedError';
  readonly code = 'session_ended';

  constructor(client: string) {
    super(client, `The server has ended the session of the client "${client}": another is begun`);
  }
}

/**
 * What differs from the skill that the server listed.
 * - `digest`, `size`: the bytes
 * - `frontmatter`: the frontmatter of `SKILL.md`
 * - `unlisted`: a file that the skill does not list
 * - `limit`: a skill that is larger than hosts accept
 * - `entry`: the skill itself
 */
export type SkillProblem = 'digest' | 'size' | 'frontmatter' | 'unlisted' | 'limit' | 'entry';

/**
 * Is thrown if a file differs from its skill's listing, or if a skill is malformed. Do not use that file or skill. If
 * the skill has changed, get it again. Then ask the person who approved it for a new approval.
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

/** Is thrown if the server does not declare skills, or does not declare that it can list their folders. */
export class SkillsUnsupportedError extends McpClientError {
  override readonly name = 'SkillsUnsupportedError';
  readonly code = 'skills_unsupported';

  constructor(client: string, what: 'skills' | 'folders of skills') {
    super(client, `The server of the client "${client}" has no ${what}: it does not declare them`);
  }
}

/** Facts about a task that ended without a result. */
export interface EndedTask {
  readonly taskId: string;
  /**
   * Its last status. `failed` and `cancelled` are final. `working` and `input_required` mean that the client gave it
   * up. `lost` means that the server no longer returns the task.
   */
  readonly status: string;
  /** Why it was given up or lost; absent if the server ended it. */
  readonly reason?: string;
  /** The error that the server returned. */
  readonly error?: JsonRpcErrorObject | undefined;
}

/**
 * Is thrown if a call became a task that ended without a result.
 *
 * @see MCP extension tasks
 */
export class McpTaskEndedError extends McpClientError {
  override readonly name = 'McpTaskEndedError';
  readonly code = 'task_ended';
  readonly taskId: string;
  /**
   * The last status of the task. `failed` and `cancelled` are final. `working` and `input_required` mean that the
   * client gave it up. `lost` means that the server no longer returns the task.
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
 * Is thrown if the user must open URLs before the server can handle the request, which has not run.
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
      `The server of the client "${client}" wants the user to open a page first: ask the user to open what "elicitations" names, then call again`,
      { cause },
    );
  }
}
