import { AuthError, findInsufficientScope } from '../../core/oauth/auth.error.js';
import { sealResult } from '../../core/protocol/encoding/encode-result.js';
import type { McpError } from '../../core/protocol/mcp.error.js';
import {
  ChallengingResponse,
  OutboundError,
  OutboundResult,
  SerializedResult,
  type OutboundResponse,
} from '../../core/protocol/outbound-message.js';
import type { RequestContext } from '../context/request-context.js';
import { logShortage } from '../log/refusal-log.js';
import type { McpMethod, MethodResult } from '../methods/mcp-method.interface.js';
import { shortenToFit } from '../methods/results/shorten-result.js';
import { assertWritten, explainRefusal } from '../methods/results/handler-result.js';
import type { ServerSettings } from '../settings/server-settings.js';
import type { FailureMapper } from './failure-mapper.js';

/** Builds the responses to requests from results and failures. Each is serialized once, here. */
export class ResponseBuilder {
  constructor(
    private readonly failures: FailureMapper,
    private readonly settings: Pick<ServerSettings, 'serverInfo'>,
  ) {}

  /** Responds with a method's result. */
  respond(context: RequestContext, result: MethodResult): OutboundResponse {
    const response = this.#build(context, result);
    const { resultLimit } = context;
    if (resultLimit === undefined || result instanceof SerializedResult) return response;
    const shorter = shortenToFit(result, response.json, resultLimit);
    return shorter === undefined ? response : this.#build(context, shorter);
  }

  #build(context: RequestContext, result: MethodResult): OutboundResult {
    const { revision } = context;
    const sealed =
      result instanceof SerializedResult ? result : sealResult(result, revision, this.settings.serverInfo);
    return serialize(new OutboundResult(context.id, sealed));
  }

  /** Responds to a failure with an error or a result, whichever the method uses. */
  respondToFailure(method: McpMethod, context: RequestContext, failure: unknown): OutboundResponse {
    context.operation?.noteFailure(failure);
    try {
      const mapped =
        method.failsAsResult === true
          ? this.failures.mapToolFailure(failure, context)
          : this.failures.mapFailure(failure, context);
      const response =
        'error' in mapped
          ? this.respondWithError(context, mapped.error)
          : this.#build(context, mapped.result);
      if (!(failure instanceof AuthError)) return response;
      logShortage(failure, context);
      return challenge(response, failure);
    } catch {
      // One of the error's getters throws, but the request must still get a response.
      return this.respondWithError(context, this.failures.mapUnreadable(failure, context));
    }
  }

  /** Responds with an error, without its data if JSON cannot represent it. */
  respondWithError({ id }: RequestContext, error: McpError): OutboundError {
    const response = new OutboundError(id, error.toJSON(), error.httpStatus ?? 200, error.retryAfterSeconds);
    try {
      void response.json;
      return response;
    } catch {
      const { code, message } = error;
      return new OutboundError(id, { code, message }, response.httpStatus);
    }
  }
}

/** Adds a challenge for a token, or for more scopes, unless the HTTP response has started. */
function challenge(response: OutboundResponse, refusal: AuthError): OutboundResponse {
  const { code, wwwAuthenticate = 'Bearer' } = refusal;
  return new ChallengingResponse(response, code, wwwAuthenticate, findInsufficientScope(refusal));
}

/**
 * Serializes a result while an error can still become the response.
 *
 * @throws {HandlerResultError} that names the property that JSON rejects or alters
 */
function serialize(response: OutboundResult): OutboundResult {
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
