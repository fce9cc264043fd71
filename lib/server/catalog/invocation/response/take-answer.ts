import { buildSentFailure } from './build-sent-failure.js';
import type { HandlerResponse } from './handler-response.js';

/**
 * Returns the answer of a call. A body that a guard or an interceptor has sent takes precedence over the handler's
 * result, as over HTTP. It throws what was sent as a failure, or given to `next()`.
 */
export function takeAnswer(value: unknown, response: HandlerResponse): unknown {
  const { sentAnswer, passedOn } = response;
  if (passedOn !== undefined) throw passedOn.error;
  if (sentAnswer !== undefined && sentAnswer.status >= 400) throw buildSentFailure(sentAnswer, undefined);
  response.finish();
  return sentAnswer === undefined ? value : sentAnswer.body;
}
