import { HttpException, Inject, Injectable } from '@nestjs/common';
import { Logger } from '../../core/logger/logger.js';
import { AuthError } from '../../core/oauth/auth.error.js';
import type { Encoded } from '../../core/protocol/encoding/encode-definition.js';
import { ErrorCode } from '../../core/protocol/error-codes.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import { RateLimitedError } from '../../core/protocol/rate-limited.error.js';
import { findGuardWait } from '../catalogue/invocation/failures/guard-limits.js';
import { describeFailure } from '../../core/log/describe-failure.js';
import { redactCredentials } from '../../core/log/redact-credentials.js';
import type { RequestContext } from '../context/request-context.js';
import { ToolError } from '../context/tool.error.js';
import { SERVER_SETTINGS } from '../settings/mcp.constants.js';
import type { ServerSettings } from '../settings/server-settings.js';
import { describeException } from './describe-exception.js';
import { isLocalCall } from './is-local-call.js';
import { logIncident } from '../log/log-incident.js';

/** Characters of a message that a developer is shown. The log has it in full. */
const LONGEST_MESSAGE = 1000;

/** What a failure is answered with: a result that says so, or a JSON-RPC error. */
export type MappedFailure = { readonly result: Encoded } | { readonly error: McpError };

/** The only place where an error becomes the answer for the caller. The details go to the log. */
@Injectable()
export class FailureMapper {
  readonly #logger = new Logger('McpDispatcher');
  /** Is called with each original error. @default nobody does */
  onFailure: ((failure: unknown, context: RequestContext) => void) | undefined;

  constructor(@Inject(SERVER_SETTINGS) private readonly settings: ServerSettings) {}

  /**
   * Maps the error of a tool call. An error for the caller becomes a result with its message. Any other error becomes a
   * result with a fixed text.
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

  /** Maps an error that throws again when it is read. Nothing else is known about it. */
  mapUnreadable(failure: unknown, context: RequestContext): McpError {
    try {
      return McpError.internal(this.#report(failure, context));
    } catch {
      // Neither can a logger that throws keep a caller from its answer.
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

/** Finds what every method answers as a JSON-RPC error. The limit of a guard counts as the server's own (SEP-3304, RL-6). */
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
