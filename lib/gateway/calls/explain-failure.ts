import {
  AuthError,
  ErrorCode,
  McpError,
  RateLimitedError,
  ToolError,
  UrlElicitationRequiredError,
  type McpContext,
} from '../../index.js';
import { escapeText } from '../../core/log/escape-text.js';
import {
  CallerUnknownError,
  McpCapabilityMissingError,
  McpClientError,
  McpClientLimitedError,
  McpResponseTooLargeError,
  McpTaskEndedError,
  McpUrlElicitationRequiredError,
} from '../../client/module/index.js';
import { listCauses } from '../../client/module/connection/transient-errors.js';

/** A failed call to another server. */
export interface ExplainedFailure {
  /** The error for the caller. */
  readonly error: unknown;
  /** Whether the server did not respond, so further calls would probably fail too. */
  readonly isOutage: boolean;
}

/** A failed call. */
interface FailedCall {
  readonly server: string;
  readonly context: McpContext;
  /** Whether the call has waited for its client. @default false */
  readonly hasAsked?: boolean;
}

/** How many characters of a server's message callers receive. */
const LONGEST_MESSAGE = 1000;

/** The official client's error code for a request timeout. */
const TIMEOUT = 'REQUEST_TIMEOUT';

/**
 * Turns a forwarded call's failure into an error for its caller, without revealing addresses, tokens or commands.
 * Errors from the server itself are passed on, limited in length.
 */
export function explainFailure(
  failure: unknown,
  { server, context, hasAsked = false }: FailedCall,
): ExplainedFailure {
  if (context.signal.aborted) return { error: context.signal.reason, isOutage: false };
  const own = listCauses(failure).find((cause) => cause instanceof AuthError || cause instanceof ToolError);
  if (own !== undefined) return { error: own, isOutage: false };
  if (failure instanceof McpClientError) return explainClientError(failure, server, context);
  const { code, message } = failure as { readonly code?: unknown; readonly message?: unknown };
  if (code === TIMEOUT && hasAsked) {
    return refusal(
      `The call to the server "${server}" exceeded its time limit, including the wait for input`,
      context,
    );
  }
  if (code === TIMEOUT) return outage(`The server "${server}" did not respond in time`, context);
  if (typeof code !== 'number') return outage(`The server "${server}" failed`, context);
  const text = escapeText(String(message), LONGEST_MESSAGE);
  if (code === ErrorCode.ResourceNotFound) {
    const uri = String(context.params['uri']);
    const { resourceNotFoundCode } = context.revision;
    return { error: McpError.resourceNotFound(resourceNotFoundCode, uri), isOutage: false };
  }
  if (code === ErrorCode.InvalidParams) {
    return { error: new McpError(code, text.replace(/^MCP error -?\d+: /, '')), isOutage: false };
  }
  return refusal(text, context);
}

function explainClientError(failure: McpClientError, server: string, context: McpContext): ExplainedFailure {
  if (failure instanceof McpClientLimitedError) {
    const { retryAfterMs } = failure;
    const text = `The server "${server}" is rate limiting calls: try again later`;
    return { error: new RateLimitedError(text, { retryAfterMs }), isOutage: false };
  }
  if (failure instanceof McpUrlElicitationRequiredError) {
    const { elicitations } = failure;
    const text = `The server "${server}" requires the user to open a page first`;
    return { error: new UrlElicitationRequiredError(elicitations, text), isOutage: false };
  }
  if (failure instanceof CallerUnknownError)
    return refusal(`The server "${server}" requires a login`, context);
  if (failure instanceof McpCapabilityMissingError) {
    // In the stateless protocol, the client may repeat the call and declare the capability.
    if (context.revision.kind === 'perRequest')
      return { error: McpError.missingCapability(failure.requiredCapabilities), isOutage: false };
    return refusal(`The server "${server}" requires capabilities that this client did not declare`, context);
  }
  if (failure instanceof McpTaskEndedError) {
    const status = escapeText(failure.status, 40);
    return refusal(`The task on the server "${server}" ended with the status "${status}"`, context);
  }
  if (failure instanceof McpResponseTooLargeError) {
    return refusal(`The response from the server "${server}" is too large`, context);
  }
  return outage(`The server "${server}" is not available: try again later`, context);
}

function refusal(text: string, context: McpContext): ExplainedFailure {
  return { error: createError(text, context), isOutage: false };
}

function outage(text: string, context: McpContext): ExplainedFailure {
  return { error: createError(text, context), isOutage: true };
}

/** Creates an error whose message reaches the caller of any method. Tool errors are part of the result, where the model reads them. */
export function createError(text: string, { method }: Pick<McpContext, 'method'>): Error {
  return method === 'tools/call' ? new ToolError(text) : new McpError(ErrorCode.InternalError, text);
}
