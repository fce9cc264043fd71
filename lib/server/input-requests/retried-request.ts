import { Logger } from '../../core/logger/logger.js';
import type { InputRequest } from '../../core/protocol/input-requests.js';
import { OwnMetaKey } from '../../core/protocol/meta-keys.js';
import type { InputRequestContext } from '../context/request-parts.interface.js';
import type { InvalidAnswerError } from './errors.js';
import { formatLine } from '../log/format-line.js';

/**
 * How many times an input request is sent. A client that has responded incorrectly that often is unlikely to succeed.
 */
export const MOST_TRIES = 5;

const LONGEST_EXPLANATION = 1000;

const logger = new Logger('McpInputRequests');

/**
 * Adds the problem with the last response to a repeated request: for the user in an elicitation's message, and for
 * the client in `_meta`.
 */
export function explainRepetition(request: InputRequest, { explanation }: InvalidAnswerError): InputRequest {
  const cut = explanation.slice(0, LONGEST_EXPLANATION);
  const { _meta, message, ...params } = request.params ?? {};
  return {
    ...request,
    params: {
      ...params,
      ...(typeof message === 'string' && {
        message: `${message}\n\nThe last answer was not accepted: ${cut}`,
      }),
      _meta: { ...Object(_meta), [OwnMetaKey.invalidAnswer]: cut },
    },
  };
}

/** Logs an invalid response at level `debug`. */
export function logInvalidAnswer(
  { message }: InvalidAnswerError,
  tries: number,
  context: InputRequestContext,
): void {
  logger.debug(formatLine(`${message.slice(0, LONGEST_EXPLANATION)} (${tries} of ${MOST_TRIES})`, context));
}
