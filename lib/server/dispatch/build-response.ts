import type { AuthError } from '../../core/oauth/auth.error.js';
import { findShortage } from '../../core/oauth/scope-shortage.js';
import type { McpError } from '../../core/protocol/mcp.error.js';
import {
  ChallengingResponse,
  OutboundError,
  type OutboundResponse,
  type OutboundResult,
  SerializedResult,
} from '../../core/protocol/outbound-message.js';
import type { RequestContext } from '../context/request-context.js';
import { assertWritten, explainRefusal } from '../methods/results/format-json.js';

/** Asks for a token, or for one that allows more, if the HTTP answer has not begun. */
export function challenge(response: OutboundResponse, refusal: AuthError): OutboundResponse {
  const { code, wwwAuthenticate = 'Bearer' } = refusal;
  return new ChallengingResponse(response, code, wwwAuthenticate, findShortage(refusal));
}

/**
 * Serialises a result while a failure to do so can still be answered.
 *
 * @throws {HandlerResultError} that names the member which JSON refuses, or writes as something else
 */
export function serialize(response: OutboundResult): OutboundResult {
  const { result } = response;
  let json: string;
  try {
    ({ json } = response);
  } catch (cause) {
    throw explainRefusal(result, cause);
  }
  if (!(result instanceof SerializedResult)) assertWritten(result, json);
  return response;
}

/** Answers with an error; without what its data cannot say as JSON. */
export function respondWithError({ id }: RequestContext, error: McpError): OutboundError {
  const response = new OutboundError(id, error.toJSON(), error.httpStatus ?? 200, error.retryAfterSeconds);
  try {
    void response.json;
    return response;
  } catch {
    const { code, message } = error;
    return new OutboundError(id, { code, message }, response.httpStatus);
  }
}
