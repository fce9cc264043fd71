import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../context/request-context.js';
import { isInputRequired, type InputRequiredResult } from '../protocol/input-required.js';
import { buildRawQuestion } from './client-request.question.js';
import { assertDeclared } from './missing-capability.js';
import { RequestStateCodec } from './request-state.js';

/** Rounds of one call in a session, where no client stops asking. */
const MOST_ROUNDS = 32;

/** Goes on with handlers that give questions in place of a result, in the way of each revision. */
@Injectable()
export class InputRounds {
  constructor(private readonly states: RequestStateCodec) {}

  /**
   * Calls a handler until it gives a result. In a session its questions are requests to the client; on the stateless
   * wire they end the call.
   */
  async complete(context: RequestContext, call: () => unknown): Promise<unknown> {
    let value = await call();
    for (let round = 1; isInputRequired(value); round += 1) {
      if (context.revision.kind === 'perRequest') return this.#endRound(context, value);
      if (round > MOST_ROUNDS) throw new RangeError(`A call may take ${MOST_ROUNDS} rounds at most`);
      const { inputRequests = {}, requestState } = value;
      const questions = Object.entries(inputRequests).map(
        ([key, request]) => [key, buildRawQuestion(request)] as const,
      );
      const inputResponses = await context.askAll(Object.fromEntries(questions));
      context.enterRound({ inputResponses, requestState });
      value = await call();
    }
    return value;
  }

  #endRound(context: RequestContext, result: InputRequiredResult): Promise<never> {
    const { inputRequests, requestState } = result;
    for (const request of Object.values(inputRequests ?? {})) {
      assertDeclared(buildRawQuestion(request), context);
    }
    context.suspend({
      ...result,
      requestState: this.states.format(context, { answers: {}, handlerState: requestState }),
    });
    return new Promise<never>(() => {});
  }
}
