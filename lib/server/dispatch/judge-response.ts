import { ErrorCode } from '../../core/protocol/error-codes.js';
import type { JsonRpcErrorObject } from '../../core/protocol/json-rpc.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import {
  ChallengingResponse,
  OutboundError,
  SerializedResult,
  type OutboundResponse,
} from '../../core/protocol/outbound-message.js';
import {
  CANCELLED,
  judgeOwnError,
  judgeResult,
  SUCCESS,
  type Outcome,
} from '../../core/telemetry/outcome.js';
import { selectRefusalReason, type RefusalReason } from '../telemetry/refusal-reason.js';

const REFUSING: ReadonlySet<number> = new Set([413, 429, 503]);

/**
 * Judges what a request was answered with, as telemetry tells it.
 *
 * @param isListening whether the client hangs up to end it, as with a stream
 * @param incident the id of an unexpected error. What a developer is shown behind it is for no span
 */
export function judgeResponse(
  response: OutboundResponse | undefined,
  isListening = false,
  incident?: string,
): Outcome {
  if (response === undefined) return isListening ? SUCCESS : CANCELLED;
  if (response instanceof ChallengingResponse) return judgeResponse(response.response, isListening, incident);
  if (response instanceof OutboundError) return judgeOwnError(hideMessage(response.error, incident));
  return response.result instanceof SerializedResult ? SUCCESS : judgeResult(response.result);
}

function hideMessage(error: JsonRpcErrorObject, incident: string | undefined): JsonRpcErrorObject {
  if (incident === undefined) return error;
  const { message } = McpError.internal(incident);
  return error.message.startsWith(message) ? { ...error, message } : error;
}

/** Finds the result that a request was answered with. */
export function findResult(response: OutboundResponse | undefined): unknown {
  return response !== undefined && 'result' in response ? response.result : undefined;
}

/** Says why a request was refused, if it was: by what its token allows, or for want of room. */
export function findRefusal(response: OutboundResponse | undefined): RefusalReason | undefined {
  if (response instanceof ChallengingResponse) {
    return response.httpStatus === 403 ? 'insufficient_scope' : 'unauthorized';
  }
  if (!(response instanceof OutboundError)) return undefined;
  const { httpStatus, error } = response;
  // If a limit is met, a stream may have begun.
  const isRefused = REFUSING.has(httpStatus) || error.code === ErrorCode.RateLimited;
  return isRefused ? selectRefusalReason(httpStatus, error.code) : undefined;
}
