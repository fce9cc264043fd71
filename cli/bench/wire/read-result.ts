import { isObject, type JsonObject } from '../../../lib/core/protocol/json-rpc.js';
import { findResponse } from '../../../lib/core/doctor/probe/probe-wire.js';
import { quoteShort } from '../../../lib/core/doctor/finding.js';
import { makeLine } from '../../visible-text.js';
import { MeasurementError } from '../measurement.error.js';
import { findHeader, type RawResponse } from './raw-response.js';

const LONGEST_WORDS = 200;

/**
 * Returns the result of an answer.
 *
 * @throws {MeasurementError} if it has no result, or says that the tool failed. Such a load would measure failures
 */
export function readResult({ status, head, body }: RawResponse): JsonObject {
  const response = findResponse(body.toString('utf8'));
  const retryAfter = findHeader(head, 'retry-after');
  assertAnswered({ status, response, retryAfter });
  return response?.['result'] as JsonObject;
}

/** An answer, as far as it says whether there is a result. */
export interface CheckedResponse {
  readonly status: number;
  /** The response of JSON-RPC in it, if there is one. */
  readonly response: JsonObject | undefined;
  readonly retryAfter: string | undefined;
}

/** @throws {MeasurementError} if there is no result that a caller could use */
export function assertAnswered(answer: CheckedResponse): void {
  const { status, response } = answer;
  const result = response?.['result'];
  if (status < 200 || status > 299 || !isObject(result)) throw new MeasurementError(explainRefusal(answer));
  if (result['isError'] === true)
    throw new MeasurementError(`the tool says that it failed: ${quoteFirstText(result)}`);
  const kind = result['resultType'];
  if (typeof kind === 'string' && kind !== 'complete')
    throw new MeasurementError(`the answer is no result, but ${quote(kind)}: such calls are not measured`);
}

function explainRefusal({ status, response, retryAfter }: CheckedResponse): string {
  const error = response?.['error'];
  const words = isObject(error) && typeof error['message'] === 'string' ? `: ${quote(error['message'])}` : '';
  if (status === 429) {
    const again = retryAfter === undefined ? '' : ` for ${makeLine(retryAfter).slice(0, LONGEST_WORDS)} s`;
    return `the server limits requests${again} (429): lift its limits for the measurement`;
  }
  if (status === 401) return 'the server answers 401: the token may have expired, or is not for this';
  if (status === 403) return `the server answers 403, so that the token does not allow this${words}`;
  if (status === 200 && words !== '') return `the server refuses${words}`;
  return `the server answers ${status}${words === '' ? ', without a result' : words}`;
}

function quoteFirstText({ content }: JsonObject): string {
  const [first] = Array.isArray(content) ? (content as readonly unknown[]) : [];
  return isObject(first) && typeof first['text'] === 'string' ? quote(first['text']) : 'it does not say why';
}

function quote(text: string): string {
  return quoteShort(makeLine(text));
}
