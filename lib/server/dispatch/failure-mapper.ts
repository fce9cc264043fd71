import { HttpException } from '@nestjs/common';
import { Logger } from '../../core/logger/logger.js';
import { AuthError } from '../../core/oauth/auth.error.js';
import type { Encoded } from '../../core/protocol/encoding/encode-definition.js';
import { ErrorCode } from '../../core/protocol/error-codes.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import { RateLimitedError } from '../../core/protocol/rate-limited.error.js';
import { findGuardWait } from '../catalog/invocation/nest-contexts.js';
import { describeFailure } from '../../core/log/describe-failure.js';
import { redactCredentials } from '../../core/log/escape-text.js';
import type { RequestContext } from '../context/request-context.js';
import { ToolError } from '../context/tool-errors.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { describeException } from './describe-exception.js';
import { logIncident } from '../log/log-failure.js';
import { isLoopbackUrl } from '../../core/oauth/secure-url.js';
import { isOfThisMachine, type RawRequest } from '../context/is-of-this-machine.js';

/** The maximum length of a message for developers. The log contains the full message. */
const LONGEST_MESSAGE = 1000;

/** A failure as a response: a result with `isError`, or a JSON-RPC error. */
export type MappedFailure = { readonly result: Encoded } | { readonly error: McpError };

/** Maps every error to its response for the caller. Details are only logged. */
export class FailureMapper {
  readonly #logger = new Logger('McpDispatcher');
  /** Called with each original error. @default not called */
  onFailure: ((failure: unknown, context: RequestContext) => void) | undefined;

  constructor(private readonly settings: ServerSettings) {}

  /**
   * Maps an error from a tool call. An error meant for the caller becomes a result with its message. Any other error
   * becomes a result with a generic message.
   *
   * @see MCP server/tools, "Error Handling"
   */
  mapToolFailure(failure: unknown, context: RequestContext): MappedFailure {
    this.onFailure?.(failure, context);
    const error = findProtocolError(failure);
    if (error !== undefined) return { error };
    if (failure instanceof ToolError || failure instanceof AuthError) {
      return { result: buildErrorResult(failure.message) };
    }
    if (failure instanceof HttpException) {
      return { result: buildErrorResult(describeException(failure)) };
    }
    const incident = this.#report(failure, context);
    return { result: buildErrorResult(this.#formatText(failure, incident, context)) };
  }

  /** Maps the failure of any other method to a JSON-RPC error. */
  mapFailure(failure: unknown, context: RequestContext): MappedFailure {
    this.onFailure?.(failure, context);
    const error = findProtocolError(failure);
    if (error !== undefined) return { error };
    if (failure instanceof ToolError) {
      return { error: new McpError(ErrorCode.InternalError, failure.message) };
    }
    if (failure instanceof AuthError) {
      return { error: new McpError(ErrorCode.InvalidRequest, failure.message) };
    }
    if (failure instanceof HttpException && failure.getStatus() < 500) {
      return { error: mapException(failure, context) };
    }
    const incident = this.#report(failure, context);
    return { error: new McpError(ErrorCode.InternalError, this.#formatText(failure, incident, context)) };
  }

  /** Maps an error whose getters throw. */
  mapUnreadable(failure: unknown, context: RequestContext): McpError {
    try {
      return McpError.internal(this.#report(failure, context));
    } catch {
      // The caller receives a response even if the logger throws.
      return McpError.internal();
    }
  }

  #formatText(failure: unknown, incident: string, context: RequestContext): string {
    const { message } = describeFailure(failure);
    const { exposeErrors } = this.settings;
    const hidden = `Internal error (incident ${incident})`;
    if (message === undefined || exposeErrors === false) return hidden;
    if (exposeErrors === true) return redactCredentials(message);
    return isLocalCall(context) ? `${hidden}: ${redactCredentials(message, LONGEST_MESSAGE)}` : hidden;
  }

  #report(failure: unknown, context: RequestContext): string {
    const incident = logIncident(this.#logger, failure, context);
    context.operation?.noteIncident(incident);
    return incident;
  }
}

function buildErrorResult(text: string): Encoded {
  return { content: [{ type: 'text', text }], isError: true };
}

/** Finds errors that are JSON-RPC errors for every method. A guard's rate limit counts as the server's own (SEP-3304, RL-6). */
function findProtocolError(failure: unknown): McpError | undefined {
  if (failure instanceof McpError) return failure;
  const retryAfterMs = findGuardWait(failure);
  if (retryAfterMs === undefined) return undefined;
  return new RateLimitedError(describeException(failure as HttpException), { retryAfterMs });
}

function mapException(exception: HttpException, context: RequestContext): McpError {
  const { method, params, revision } = context;
  if (exception.getStatus() === 404 && method === 'resources/read') {
    return McpError.resourceNotFound(revision.resourceNotFoundCode, String(params['uri']));
  }
  return new McpError(ErrorCode.InvalidParams, describeException(exception));
}

/**
 * Returns whether only the server's developer sees a call's response. A task's outcome is stored, so others may read
 * it. A client in the same process may act on behalf of any user. A stdio host chooses the environment and may pass
 * messages on, so only `NODE_ENV=development` counts there.
 */
export function isLocalCall({ hosting, transport, http }: RequestContext): boolean {
  if (hosting !== undefined) return false;
  if (transport === 'stdio') return process.env['NODE_ENV'] === 'development';
  const request = findRawRequest(http?.request);
  return request !== undefined && isOfThisMachine(request) && hasLocalOrigin(request);
}

/** An adapter's request. Fastify's request exposes Node's own as "raw". */
type AdapterRequest = RawRequest & { readonly raw?: RawRequest };

/** A request that another process forwarded has no socket. */
function findRawRequest(request: unknown): RawRequest | undefined {
  if (typeof request !== 'object' || request === null) return undefined;
  const { raw = request as RawRequest } = request as AdapterRequest;
  return typeof raw.socket === 'object' && typeof raw.headers === 'object' ? raw : undefined;
}

/** Pages from other sites may be allowed to call the server, but must not see developer messages. */
function hasLocalOrigin({ headers }: RawRequest): boolean {
  const origin = headers['origin'];
  return (
    origin === undefined || (typeof origin === 'string' && URL.canParse(origin) && isLoopbackUrl(origin))
  );
}
