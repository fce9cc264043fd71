import type { RequestSpan } from '../telemetry/request-span.interface.js';

/** A response whose end can be waited for: Node's own. */
export interface ClosingResponse {
  readonly statusCode: number;
  readonly headersSent: boolean;
  readonly closed?: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/**
 * Ends the span of a request when its answer is over, with the status of that, if one was sent. Whoever answers and
 * whoever breaks off, the guard sees the beginning alone.
 */
export function endSpanWithAnswer(span: RequestSpan, response: ClosingResponse): void {
  if (response.closed === true) return span.end();
  response.once('close', () => {
    if (response.headersSent) span.set('http.response.status_code', response.statusCode);
    span.end();
  });
}
