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

/** A round's result. */
interface RoundEnd {
  readonly inputRequests: NonNullable<InputRequiredResult['inputRequests']>;
  readonly handlerState: string | undefined;
  readonly _meta?: OpenObject | undefined;
}

/**
 * Sends input requests in the stateless protocol. A call with open input requests ends as `input_required`, and runs
 * again when the client retries it with the responses. Responses from earlier rounds are available immediately.
 *
 * @see MCP 2026-07-28 basic/patterns/mrtr
 */
export class RoundTripInputRequester implements InputRequester {
  readonly round: Round;
  readonly #answers: Record<string, unknown>;
  /** The number of invalid responses to each input request, in all rounds. */
  readonly #tries: Record<string, number>;
  /** The number of rounds so far, including this one. */
  readonly #rounds: number;
  /** The problem with a response in this round. */
  #problem: InvalidAnswerError | undefined;
  readonly #open = new Map<string, InputRequest>();
  readonly #keys = new InputRequestKeys();

  /** @throws {McpError} -32602 if the retry's `requestState` is not valid for this call */
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
      // The request is repeated after an invalid response (MCP 2026-07-28 basic/patterns/mrtr).
      delete this.#answers[key];
      return this.#suspend(question, key, error);
    }
  }

  /** Counts an invalid response. The last one stays in the state, so its request fails in later rounds as well. */
  #isLast(error: InvalidAnswerError, key: string): boolean {
    const tries = this.#tries[key] ?? 0;
    if (tries >= MOST_TRIES) return true;
    this.#tries[key] = tries + 1;
    this.#problem = error;
    logInvalidAnswer(error, tries + 1, this.context);
    return tries + 1 === MOST_TRIES;
  }

  /** Suspends the call until the next round. */
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

  /** Records the responses, whether or not the handler resends the requests. */
  #noteAnswers({ asked = {}, endedAt }: CarriedState, given: { readonly [key: string]: unknown }): void {
    const { operation } = this.context;
    if (operation === undefined || endedAt === undefined) return;
    for (const [key, method] of Object.entries(asked)) {
      const answer = Object.hasOwn(given, key) ? given[key] : undefined;
      if (answer !== undefined) operation.noteAnswer({ method, answer, askedAt: endedAt });
    }
  }

  /** Nothing awaits this: an error must fail the call without crashing the process. */
  #endAsking(): void {
    try {
      const { requestState: handlerState } = this.round;
      this.#suspendWith({ inputRequests: Object.fromEntries(this.#open), handlerState });
    } catch (error) {
      this.context.fail(error as Error);
    }
  }

  #suspendWith({ inputRequests, handlerState, _meta }: RoundEnd): void {
    if (this.#rounds > MOST_ROUNDS) throw new RoundLimitError(this.#problem?.message);
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
