import { Logger } from '../../core/logger/logger.js';
import type { InputRequest } from '../../core/protocol/input-requests.js';
import { OwnMetaKey } from '../../core/protocol/meta-keys.js';
import type { InputRequestContext } from '../context/request-parts.interface.js';
import type { InvalidAnswerError } from './errors.js';
import { formatLine } from '../log/format-line.js';

/** How often a question is asked: a client that has answered it wrongly so often does not know better. */
export const MOST_TRIES = 5;

const LONGEST_EXPLANATION = 1000;

const logger = new Logger('McpInputRequests');

/** Says in a question that is asked again what was wrong with the answer: to the user of a form or page, and to the client. */
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

/** Writes a line of level `debug` about an answer that cannot be used. */
export function logInvalidAnswer(
  { message }: InvalidAnswerError,
  tries: number,
  context: InputRequestContext,
): void {
  logger.debug(formatLine(`${message.slice(0, LONGEST_EXPLANATION)} (${tries} of ${MOST_TRIES})`, context));
}
