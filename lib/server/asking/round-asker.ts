import type { OpenObject } from '../../core/protocol/capabilities.js';
import type { ClientRequest } from '../../core/protocol/client-requests.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import type { InputRequiredResult } from '../../core/protocol/input-required.js';
import type { AskingContext } from '../context/asker-source.interface.js';
import type { AnswersOf, Asker, Question, Round } from '../context/question.interface.js';
import { askEach } from './ask-each.js';
import { buildRawQuestion } from './questions/client-request.question.js';
import { InvalidAnswerError } from './invalid-answer.error.js';
import { assertAskable } from './missing-capability.js';
import { QuestionKeys } from './question-keys.js';
import { RequestStateCodec, type CarriedState } from './request-state.js';

/** The result of a round. */
interface RoundEnd {
  readonly inputRequests: NonNullable<InputRequiredResult['inputRequests']>;
  readonly handlerState: string | undefined;
  readonly _meta?: OpenObject | undefined;
}

/**
 * Asks the client of the stateless wire: a call with an open question ends as `input_required`, and begins again when
 * the client brings the answer. What was answered in an earlier round is answered at once then.
 *
 * @see MCP 2026-07-28 basic/patterns/mrtr
 */
export class RoundAsker implements Asker {
  readonly round: Round;
  readonly #answers: Record<string, unknown>;
  readonly #open = new Map<string, ClientRequest>();
  readonly #keys = new QuestionKeys();

  /** @throws {McpError} -32602 if the state that the request brings back is not of this call */
  constructor(
    private readonly context: AskingContext,
    private readonly states: RequestStateCodec,
  ) {
    const { inputResponses: given } = context.params;
    const carried = states.parse(context);
    const { answers, handlerState } = carried;
    const inputResponses = isObject(given) ? given : {};
    this.#noteAnswers(carried, inputResponses);
    this.round = { inputResponses, requestState: handlerState };
    this.#answers = Object.assign(Object.create(null), answers, inputResponses);
  }

  async ask<Answer>(question: Question<Answer>): Promise<Answer> {
    return this.#ask(question, question.options.key ?? this.#keys.count());
  }

  askAll<Questions extends { readonly [name: string]: Question<unknown> }>(
    questions: Questions,
  ): Promise<AnswersOf<Questions>> {
    return askEach(questions, (question, name) => this.#ask(question, question.options.key ?? name));
  }

  endRound({ inputRequests = {}, requestState, _meta }: InputRequiredResult): true {
    for (const request of Object.values(inputRequests)) {
      assertAskable(buildRawQuestion(request), this.context);
    }
    const noted = Object.entries(inputRequests).map(([key, request]) => [key, this.#note(request)] as const);
    this.#suspendWith({ inputRequests: Object.fromEntries(noted), handlerState: requestState, _meta });
    return true;
  }

  async #ask<Answer>(question: Question<Answer>, key: string): Promise<Answer> {
    this.#keys.claim(key);
    assertAskable(question, this.context);
    const answer = this.#answers[key];
    if (answer !== undefined) {
      try {
        return await question.parseAnswer(answer);
      } catch (error) {
        // A client that answers wrongly is asked again (MCP 2026-07-28 basic/patterns/mrtr).
        if (!(error instanceof InvalidAnswerError)) throw error;
        delete this.#answers[key];
      }
    }
    return this.#suspend(question, key);
  }

  /** The call goes no further in this round. */
  #suspend(question: Question<unknown>, key: string): Promise<never> {
    const { method } = question;
    if (this.#open.size === 0) setImmediate(() => this.#endAsking());
    const request = { method, params: question.buildParams(this.context.revision) };
    this.#open.set(key, this.#note(request));
    return new Promise<never>(() => {});
  }

  #note(request: ClientRequest): ClientRequest {
    return this.context.operation?.note(request) ?? request;
  }

  /** What the handler was answered is told whether it asks again or not. */
  #noteAnswers({ asked = {}, endedAt }: CarriedState, given: { readonly [key: string]: unknown }): void {
    const { operation } = this.context;
    if (operation === undefined || endedAt === undefined) return;
    for (const [key, method] of Object.entries(asked)) {
      const answer = Object.hasOwn(given, key) ? given[key] : undefined;
      if (answer !== undefined) operation.noteAnswer({ method, answer, askedAt: endedAt });
    }
  }

  /** Runs by itself: what fails here fails the call, and must not end the process. */
  #endAsking(): void {
    try {
      const { requestState: handlerState } = this.round;
      this.#suspendWith({ inputRequests: Object.fromEntries(this.#open), handlerState });
    } catch (error) {
      this.context.fail(error as Error);
    }
  }

  #suspendWith({ inputRequests, handlerState, _meta }: RoundEnd): void {
    const given = Object.fromEntries(Object.entries(this.#answers).filter(([key]) => this.#keys.has(key)));
    const asked = this.context.operation && listMethods(inputRequests);
    this.context.suspend({
      resultType: 'input_required',
      inputRequests,
      requestState: this.states.format(this.context, { answers: given, asked, handlerState }),
      ...(_meta !== undefined && { _meta }),
    });
  }
}

function listMethods(requests: RoundEnd['inputRequests']): { readonly [key: string]: string } {
  return Object.fromEntries(Object.entries(requests).map(([key, { method }]) => [key, method]));
}
