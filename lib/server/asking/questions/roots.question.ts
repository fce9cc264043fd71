import type { Root } from '../../../core/protocol/client-requests.js';
import { isObject } from '../../../core/protocol/json-rpc.js';
import type { Question, QuestionOptions } from '../../context/input-request.interface.js';
import { InvalidAnswerError } from '../invalid-answer.error.js';
import { ROOTS_NEED } from './question-needs.js';

const METHOD = 'roots/list';

/**
 * Describes the question for the client's roots: the folders in which servers may work. Ask it with other questions by
 * `context.requestAll()`.
 *
 * @example
 * const { roots } = await context.requestAll({ roots: listRoots() });
 *
 * @see MCP client/roots
 */
export function listRoots(options: QuestionOptions = {}): Question<readonly Root[]> {
  return {
    method: METHOD,
    options,
    ...ROOTS_NEED,
    buildParams: () => ({}),
    parseAnswer: parseRoots,
  };
}

function parseRoots(result: unknown): readonly Root[] {
  const roots = isObject(result) ? result['roots'] : undefined;
  if (Array.isArray(roots) && roots.every(isRoot)) return roots;
  throw new InvalidAnswerError(METHOD, '"roots" must be an array of objects with "uri", a string');
}

function isRoot(value: unknown): value is Root {
  return isObject(value) && typeof value['uri'] === 'string';
}
