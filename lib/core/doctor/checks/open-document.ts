import { isMediaType } from '../../protocol/headers/media-type.js';
import { warning, type Outcome } from '../finding.js';
import type { ProbeAnswer } from '../probe/probe-wire.interface.js';
import { quote } from '../quote.js';

/** Tells whether an answer has a document. A web application may answer unknown paths with a page of its own. */
export function isDocument(answer: ProbeAnswer | undefined): answer is ProbeAnswer {
  return answer?.status === 200 && !isMediaType(answer.headers['content-type'], ['text/html']);
}

/** Finds what keeps clients from reading a document that is for everybody. */
export function judgeOpenness(
  { headers }: ProbeAnswer,
  { what, mediaType }: { readonly what: string; readonly mediaType: string },
): Outcome | undefined {
  if (!isMediaType(headers['content-type'], [mediaType])) {
    return warning(`The ${what} comes as ${quote(headers['content-type'])}`, `Send "${mediaType}"`);
  }
  if (headers['access-control-allow-origin'] === '*') return undefined;
  return warning(
    `Pages of other origins cannot read the ${what}`,
    'Send "Access-Control-Allow-Origin: *": it holds nothing secret',
  );
}
