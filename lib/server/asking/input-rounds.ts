import { Injectable } from '@nestjs/common';
import { isInputRequired } from '../../core/protocol/input-required.js';
import { isPromiseLike } from '../../core/waiting/is-promise-like.js';
import type { RequestContext } from '../context/request-context.js';
import { buildRawQuestion } from './questions/client-request.question.js';
import { requirePages } from './require-pages.js';
import { MOST_ROUNDS, RoundLimitError } from './round-limit.error.js';
import { UrlElicitationRequiredError } from './url-elicitation-required.error.js';

/** Goes on with handlers that give questions instead of a result, in the way of each revision. */
@Injectable()
export class InputRounds {
  /**
   * Calls a handler until it gives a result, and makes the answer of that. In a session its questions are requests to
   * the client; on the stateless wire they end the call.
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
        // A value that is available at once is not awaited.
        value = isPromiseLike(given) ? await given : given;
      } catch (error) {
        if (!(error instanceof UrlElicitationRequiredError)) throw error;
        value = requirePages(error, context);
      }
      if (!isInputRequired(value)) return build(value);
      // The client makes the call again: nothing of this one continues.
      if (context.endRound(value)) return new Promise<never>(() => {});
      if (round > MOST_ROUNDS) throw new RoundLimitError();
      const { inputRequests = {}, requestState } = value;
      const questions = Object.entries(inputRequests).map(
        ([key, request]) => [key, buildRawQuestion(request)] as const,
      );
      const inputResponses = await context.askAll(Object.fromEntries(questions));
      context.enterRound({ inputResponses, requestState });
    }
  }
}
