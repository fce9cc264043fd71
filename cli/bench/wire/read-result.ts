import { isObject, type JsonObject } from '../../../lib/core/protocol/json-rpc.js';
import { findResponse } from '../../../lib/core/doctor/probe/probe-wire.js';
import { quoteShort } from '../../../lib/core/doctor/finding.js';
import { makeLine } from '../../visible-text.js';
import { MeasurementError } from '../measurement.error.js';
import { findHeader, type RawResponse } from './raw-response.js';

const LONGEST_WORDS = 200;

/**
 * Returns the result in a response.
 *
 * @throws {MeasurementError} if it has no result, or reports that the tool failed, because the load would measure failures
 */
export function readResult({ status, head, body }: RawResponse): JsonObject {
  const response = findResponse(body.toString('utf8'));
  const retryAfter = findHeader(head, 'retry-after');
  assertAnswered({ status, response, retryAfter });
  return response?.['result'] as JsonObject;
}

/** The parts of a response that show whether there is a result. */
export interface CheckedResponse {
  readonly status: number;
  /** The JSON-RPC response in it, if there is one. */
  readonly response: JsonObject | undefined;
  readonly retryAfter: string | undefined;
}

/** @throws {MeasurementError} if there is no usable result */
export function assertAnswered(answer: CheckedResponse): void {
  const { status, response } = answer;
  const result = response?.['result'];
  if (status < 200 || status > 299 || !isObject(result)) throw new MeasurementError(explainRefusal(answer));
  if (result['isError'] === true)
    throw new MeasurementError(`the tool reports an error: ${quoteFirstText(result)}`);
  const kind = result['resultType'];
  if (typeof kind === 'string' && kind !== 'complete')
    throw new MeasurementError(
      `the result has the type ${quote(kind)} instead of "complete": such calls are not measured`,
    );
}

function explainRefusal({ status, response, retryAfter }: CheckedResponse): string {
  const error = response?.['error'];
  const words = isObject(error) && typeof error['message'] === 'string' ? `: ${quote(error['message'])}` : '';
  if (status === 429) {
    const again = retryAfter === undefined ? '' : ` for ${makeLine(retryAfter).slice(0, LONGEST_WORDS)} s`;
    return `the server is rate limiting requests${again} (429): raise its rate limits for the measurement`;
  }
  if (status === 401)
    return 'the server responds with 401: the token may have expired, or may not be meant for this server';
  if (status === 403)
    return `the server responds with 403, because the token does not allow this request${words}`;
  if (status === 200 && words !== '') return `the server rejects the request${words}`;
  return `the server responds with ${status}${words === '' ? ', without a result' : words}`;
}

function quoteFirstText({ content }: JsonObject): string {
  const [first] = Array.isArray(content) ? (content as readonly unknown[]) : [];
  return isObject(first) && typeof first['text'] === 'string'
    ? quote(first['text'])
    : 'without an explanation';
}

function quote(text: string): string {
  return quoteShort(makeLine(text));
}
