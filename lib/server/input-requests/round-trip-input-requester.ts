import type { OpenObject } from '../../core/protocol/capabilities.js';
import type { InputRequest, InputRequiredResult } from '../../core/protocol/input-requests.js';
import { isObject } from '../../core/protocol/json-rpc.js';
import type {
  InputResponsesOf,
  InputRequester,
  TypedInputRequest,
  Round,
} from '../context/input-request.interface.js';
import type { InputRequestContext } from '../context/request-parts.interface.js';
import { InputRequestKeys, requestEach } from './input-request-keys.js';
import { InvalidAnswerError, MOST_ROUNDS, RoundLimitError } from './errors.js';
import { assertSupported } from './required-capabilities.js';
import { buildRawRequest } from './input-request-builders.js';
import { type CarriedState, RequestStateCodec } from './request-state.js';
import { explainRepetition, logInvalidAnswer, MOST_TRIES } from './retried-request.js';

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
export class RoundTripInputRequester implements InputRequester {
  readonly round: Round;
  readonly #answers: Record<string, unknown>;
  /** How many answers to a question could not be used, in all rounds. */
  readonly #tries: Record<string, number>;
  /** Rounds that the call has had, this one included. */
  readonly #rounds: number;
  /** What was wrong with an answer of this round. */
  #problem: InvalidAnswerError | undefined;
  readonly #open = new Map<string, InputRequest>();
  readonly #keys = new InputRequestKeys();

  /** @throws {McpError} -32602 if the state that the request brings back is not of this call */
  constructor(
    private readonly context: InputRequestContext,
    private readonly states: RequestStateCodec,
  ) {
    const { inputResponses: given } = context.params;
    const carried = states.parse(context);
    const { answers, handlerState, rounds = 0, tries } = carried;
    const inputResponses = isObject(given) ? given : {};
    this.#noteAnswers(carried, inputResponses);
    this.round = { inputResponses, requestState: handlerState };
    this.#answers = Object.assign(Object.create(null), answers, inputResponses);
    this.#tries = Object.assign(Object.create(null), tries);
    this.#rounds = rounds + 1;
  }

  async request<Answer>(question: TypedInputRequest<Answer>): Promise<Answer> {
    return this.#ask(question, question.options.key ?? this.#keys.count());
  }

  requestAll<Questions extends { readonly [name: string]: TypedInputRequest<unknown> }>(
    questions: Questions,
  ): Promise<InputResponsesOf<Questions>> {
    return requestEach(questions, (question, name) => this.#ask(question, question.options.key ?? name));
  }

  endRound({ inputRequests = {}, requestState, _meta }: InputRequiredResult): true {
    for (const request of Object.values(inputRequests)) {
      assertSupported(buildRawRequest(request), this.context);
    }
    const noted = Object.entries(inputRequests).map(([key, request]) => [key, this.#note(request)] as const);
    this.#suspendWith({ inputRequests: Object.fromEntries(noted), handlerState: requestState, _meta });
    return true;
  }

  async #ask<Answer>(question: TypedInputRequest<Answer>, key: string): Promise<Answer> {
    this.#keys.claim(key);
    assertSupported(question, this.context);
    const answer = this.#answers[key];
    if (answer === undefined) return this.#suspend(question, key);
    try {
      return await question.parseAnswer(answer);
    } catch (error) {
      if (!(error instanceof InvalidAnswerError) || this.#isLast(error, key)) throw error;
      // A client that answers wrongly is asked again (MCP 2026-07-28 basic/patterns/mrtr).
      delete this.#answers[key];
      return this.#suspend(question, key, error);
    }
  }

  /** Counts an answer that cannot be used. The last one is carried on: its question fails in the rounds to come as it does in this one. */
  #isLast(error: InvalidAnswerError, key: string): boolean {
    const tries = this.#tries[key] ?? 0;
    if (tries >= MOST_TRIES) return true;
    this.#tries[key] = tries + 1;
    this.#problem = error;
    logInvalidAnswer(error, tries + 1, this.context);
    return tries + 1 === MOST_TRIES;
  }

  /** The call goes no further in this round. */
  #suspend(question: TypedInputRequest<unknown>, key: string, problem?: InvalidAnswerError): Promise<never> {
    const { method } = question;
    if (this.#open.size === 0) setImmediate(() => this.#endAsking());
    const request = { method, params: question.buildParams(this.context.revision) };
    this.#open.set(key, this.#note(problem === undefined ? request : explainRepetition(request, problem)));
    return new Promise<never>(() => {});
  }

  #note(request: InputRequest): InputRequest {
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
    if (this.#rounds > MOST_ROUNDS) return this.context.fail(new RoundLimitError(this.#problem?.message));
    const given = Object.fromEntries(Object.entries(this.#answers).filter(([key]) => this.#keys.has(key)));
    const asked = this.context.operation && listMethods(inputRequests);
    const tries = Object.keys(this.#tries).length === 0 ? undefined : this.#tries;
    const state = { answers: given, asked, handlerState, rounds: this.#rounds, tries };
    this.context.suspend({
      resultType: 'input_required',
      inputRequests,
      requestState: this.states.format(this.context, state),
      ...(_meta !== undefined && { _meta }),
    });
  }
}

function listMethods(requests: RoundEnd['inputRequests']): { readonly [key: string]: string } {
  return Object.fromEntries(Object.entries(requests).map(([key, { method }]) => [key, method]));
}
