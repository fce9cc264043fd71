import { warning, type Outcome } from '../finding.js';
import type { ProbeAnswer } from '../probe/probe-wire.interface.js';
import { quote } from '../quote.js';

/** Tells whether there is a document. Whatever answers for unknown paths may answer here: pages for people are none. */
export function isDocument(answer: ProbeAnswer | undefined): answer is ProbeAnswer {
  return answer?.status === 200 && readType(answer.headers['content-type']) !== 'text/html';
}

/** Finds what keeps clients from reading a document that is for everybody. */
export function judgeOpenness(
  { headers }: ProbeAnswer,
  { what, mediaType }: { readonly what: string; readonly mediaType: string },
): Outcome | undefined {
  if (readType(headers['content-type']) !== mediaType) {
    return warning(`The ${what} comes as ${quote(headers['content-type'])}`, `Send "${mediaType}"`);
  }
  if (headers['access-control-allow-origin'] === '*') return undefined;
  return warning(
    `Pages of other origins cannot read the ${what}`,
    'Send "Access-Control-Allow-Origin: *": it holds nothing secret',
  );
}

function readType(header: string | undefined): string | undefined {
  return header?.split(';')[0]?.trim().toLowerCase();
}
