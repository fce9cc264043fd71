import { buildSentFailure } from './build-sent-failure.js';
import type { HandlerResponse } from './handler-response.js';

/**
 * Gives what a call is answered with: what a guard or an interceptor has sent itself comes before what the handler gave, as it does
 * over HTTP. It throws what was sent as a failure, or given to `next()`.
 */
export function takeAnswer(value: unknown, response: HandlerResponse): unknown {
  const { sentAnswer, passedOn } = response;
  if (passedOn !== undefined) throw passedOn.error;
  if (sentAnswer !== undefined && sentAnswer.status >= 400) throw buildSentFailure(sentAnswer, undefined);
  response.finish();
  return sentAnswer === undefined ? value : sentAnswer.body;
}
