import { InvalidAnswerError } from '../../../lib/server/input-requests/errors.js';
import { listRoots, sampling } from '../../../lib/server/input-requests/input-request-builders.js';
import { urlElicitation } from '../../../lib/server/input-requests/elicitation.js';
import { assertHolds, parseWith, readJson } from '../contract.js';

const SAMPLING = sampling({ messages: [], maxTokens: 1 });
const ROOTS = listRoots();
const PAGE = urlElicitation({ message: 'Pay?', url: 'https://pay.example.com' });

/** Parses what a client answers to a question of the server. */
export function fuzz(bytes: Buffer): void {
  const answer = readJson(bytes);
  parseWith(() => SAMPLING.parseAnswer(answer), InvalidAnswerError);
  const roots = parseWith(() => ROOTS.parseAnswer(answer), InvalidAnswerError);
  if ('value' in roots) assertHolds(Array.isArray(roots.value), 'roots are a list');
  parseWith(() => PAGE.parseAnswer(answer), InvalidAnswerError);
}
