import { randomUUID } from 'node:crypto';
import { ErrorCode } from '../../core/protocol/error-codes.js';
import {
  type InputRequiredResult,
  isInputRequired,
  type RequiredElicitation,
} from '../../core/protocol/input-requests.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import { McpError } from '../../core/protocol/mcp.error.js';
import { isPromiseLike } from '../../core/async/promises.js';
import type { RequestContext } from '../context/request-context.js';
import { ToolError } from '../context/tool-errors.js';
import { assertSupported } from './required-capabilities.js';
import { buildRawRequest } from './input-request-builders.js';
import { urlElicitation } from './elicitation.js';
import { MOST_ROUNDS, type RequiredPage, RoundLimitError, UrlElicitationRequiredError } from './errors.js';

/** Runs handlers that return input requests instead of a result, in each revision's way. */
export class InputRounds {
  /**
   * Calls a handler until it returns a result, and builds the response from it. In a session, its input requests are
   * sent to the client. In the stateless protocol, they end the call.
   */
  async complete<Answer>(
    context: RequestContext,
    call: () => unknown,
    build: (value: unknown) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    for (let round = 1; ; round += 1) {
      let value: unknown;
      try {
        const given = call();
        // A value that is not a promise is not awaited.
        value = isPromiseLike(given) ? await given : given;
      } catch (error) {
        if (!(error instanceof UrlElicitationRequiredError)) throw error;
        value = requirePages(error, context);
      }
      if (!isInputRequired(value)) return build(value);
      try {
        // The client retries the call, so this one does not continue.
        if (context.endRound(value)) return new Promise<never>(() => {});
        if (round > MOST_ROUNDS) throw new RoundLimitError();
        const { inputRequests = {}, requestState } = value;
        const questions = Object.entries(inputRequests).map(
          ([key, request]) => [key, buildRawRequest(request)] as const,
        );
        const inputResponses = await context.requestAll(Object.fromEntries(questions));
        context.enterRound({ inputResponses, requestState });
      } catch (error) {
        // The work that waits for the responses ends with the signal.
        context.abort((error as Error).message);
        throw error;
      }
    }
  }
}

/**
 * Returns the result for a call that must send its user to pages first, if the revision defines such a result.
 *
 * @throws {McpError} -32042 if the revision defines an error for this; -32021 in the stateless protocol if the client
 * did not declare `elicitation.url`
 * @throws {ToolError} in a session if the client did not declare it or the revision lacks URL elicitation, and in any
 *   revision if the user declines
 */
function requirePages(error: UrlElicitationRequiredError, context: RequestContext): InputRequiredResult {
  const { pages, message } = error;
  const { revision } = context;
  for (const page of pages) assertSupported(urlElicitation(page), context);
  if (revision.defines.elicitationId) {
    const elicitations = pages.map(describePage);
    throw new McpError(ErrorCode.UrlElicitationRequired, message, { elicitations });
  }
  const { inputResponses } = context;
  const keyed = pages.map((page, index) => [`page-${index + 1}`, page] as const);
  if (keyed.some(([key]) => isRefused(inputResponses[key])))
    throw new ToolError(`${message}, and the user declined to open the page`);
  return {
    resultType: 'input_required',
    inputRequests: Object.fromEntries(
      keyed.map(([key, page]) => [
        key,
        { method: 'elicitation/create', params: { mode: 'url', message: page.message, url: page.url } },
      ]),
    ),
  };
}

function describePage({ url, message, elicitationId = randomUUID() }: RequiredPage): RequiredElicitation {
  return { mode: 'url', elicitationId, url, message };
}

/** A user who accepts may not have finished yet. A user who does not accept is not asked again. */
function isRefused(answer: unknown): boolean {
  return isObject(answer) && (answer['action'] === 'decline' || answer['action'] === 'cancel');
}
