import { ErrorCode } from '../protocol/error-codes.js';
import { isObject, type JsonRpcErrorObject } from '../protocol/json-rpc.js';
import { OTHER } from './attribute-names.js';

/** What came of an operation, as the conventions tell it. */
export interface Outcome {
  /** The `error.type`; absent if the operation did not fail. */
  readonly errorType?: string | undefined;
  /** The code of the JSON-RPC error that was answered, whether it counts as a failure or not. */
  readonly statusCode?: number | undefined;
  /** Says in words how it failed. */
  readonly message?: string | undefined;
}

/** What went well. */
export const SUCCESS: Outcome = Object.freeze({});

/** What nobody waits for any more. */
export const CANCELLED: Outcome = Object.freeze({
  errorType: 'cancelled',
  message: 'The call was cancelled',
});

const TOOL_ERROR: Outcome = Object.freeze({ errorType: 'tool_error' });

/** What did not come in time. */
export const TIMED_OUT: Outcome = Object.freeze({
  errorType: 'timeout',
  message: 'There was no answer in time',
});

/** Mistakes of the caller. A server that answers with them has not failed. */
const CALLER_FAULTS: ReadonlySet<number> = new Set([
  ErrorCode.ParseError,
  ErrorCode.InvalidRequest,
  ErrorCode.MethodNotFound,
  ErrorCode.InvalidParams,
  ErrorCode.ResourceNotFound,
]);

/**
 * Judges a JSON-RPC error as who answered it sees it: a mistake of the caller is none of the server's.
 *
 * @see OpenTelemetry semantic conventions for the Model Context Protocol, `rpc.response.status_code`
 */
export function judgeOwnError({ code, message }: JsonRpcErrorObject): Outcome {
  if (CALLER_FAULTS.has(code)) return { statusCode: code };
  return { errorType: String(code), statusCode: code, message };
}

/**
 * Judges a refusal. Over HTTP its status decides: below 500, it is a mistake of the caller, or the way in which every
 * login begins.
 *
 * @see OpenTelemetry semantic conventions for HTTP, "Status"
 */
export function judgeRefusal(error: JsonRpcErrorObject, status: number | undefined): Outcome {
  if (status === undefined) return judgeOwnError(error);
  if (status < 500) return { statusCode: error.code };
  return { errorType: String(status), statusCode: error.code, message: error.message };
}

/** Judges a JSON-RPC error as who asked sees it: every code is a failure. */
export function judgePeerError({ code, message }: JsonRpcErrorObject): Outcome {
  return { errorType: String(code), statusCode: code, message };
}

/** Judges a result, which may report a failure of its tool. What it says of the failure is for the caller alone. */
export function judgeResult(result: unknown): Outcome {
  return isObject(result) && result['isError'] === true ? TOOL_ERROR : SUCCESS;
}

/** Judges what was thrown instead of an answer. */
export function judgeThrown(error: unknown): Outcome {
  if (!(error instanceof Error)) return { errorType: OTHER };
  // What the peer answers with is thrown as an error of its code.
  const { code } = error as { readonly code?: unknown };
  if (Number.isInteger(code)) return judgePeerError({ code: code as number, message: error.message });
  return { errorType: error.name === 'Error' ? OTHER : error.name, message: error.message };
}
