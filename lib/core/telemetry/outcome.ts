import { ErrorCode } from '../protocol/error-codes.js';
import { isObject, type JsonRpcErrorObject } from '../protocol/json-rpc.js';
import { OTHER } from './operation-facts.js';

/** The outcome of an operation, in terms of the conventions. */
export interface Outcome {
  /** The `error.type`; absent if the operation did not fail. */
  readonly errorType?: string | undefined;
  /** The code of the JSON-RPC error response, whether or not it counts as a failure. */
  readonly statusCode?: number | undefined;
  /** A description of the failure. */
  readonly message?: string | undefined;
}

/** A success. */
export const SUCCESS: Outcome = Object.freeze({});

/** A cancelled operation. */
export const CANCELLED: Outcome = Object.freeze({
  errorType: 'cancelled',
  message: 'The call was cancelled',
});

const TOOL_ERROR: Outcome = Object.freeze({ errorType: 'tool_error' });

/** A timeout. */
export const TIMED_OUT: Outcome = Object.freeze({
  errorType: 'timeout',
  message: 'There was no response in time',
});

/** Caller mistakes, which are not server failures. */
const CALLER_PROBLEMS: ReadonlySet<number> = new Set([
  ErrorCode.ParseError,
  ErrorCode.InvalidRequest,
  ErrorCode.MethodNotFound,
  ErrorCode.InvalidParams,
  ErrorCode.ResourceNotFound,
]);

/**
 * Classifies a JSON-RPC error from the responder's side. A caller's mistake is not a server failure.
 *
 * @see OpenTelemetry semantic conventions for the Model Context Protocol, `rpc.response.status_code`
 */
export function judgeOwnError({ code, message }: JsonRpcErrorObject): Outcome {
  if (CALLER_PROBLEMS.has(code)) return { statusCode: code };
  return { errorType: String(code), statusCode: code, message };
}

/**
 * Classifies a refusal. Over HTTP, the status decides: below 500, it is a caller's mistake, or the normal start of a
 * login.
 *
 * @see OpenTelemetry semantic conventions for HTTP, "Status"
 */
export function judgeRefusal(error: JsonRpcErrorObject, status: number | undefined): Outcome {
  if (status === undefined) return judgeOwnError(error);
  if (status < 500) return { statusCode: error.code };
  return { errorType: String(status), statusCode: error.code, message: error.message };
}

/** Classifies a JSON-RPC error from the requester's side, where every code is a failure. */
export function judgePeerError({ code, message }: JsonRpcErrorObject): Outcome {
  return { errorType: String(code), statusCode: code, message };
}

/** Classifies a result, which may report a failed tool. Its error message is only for the caller. */
export function judgeResult(result: unknown): Outcome {
  return isObject(result) && result['isError'] === true ? TOOL_ERROR : SUCCESS;
}

/** Classifies an error thrown instead of a response. */
export function judgeThrown(error: unknown): Outcome {
  if (!(error instanceof Error)) return { errorType: OTHER };
  // A peer's error response is thrown as an error with its code.
  const { code } = error as { readonly code?: unknown };
  if (Number.isInteger(code)) return judgePeerError({ code: code as number, message: error.message });
  return { errorType: error.name === 'Error' ? OTHER : error.name, message: error.message };
}
