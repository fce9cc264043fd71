import type { InputRequest } from '../../core/protocol/input-requests.js';
import { NEWEST_REVISION, type Revision } from '../../core/protocol/revisions.js';
import type {
  InputRequester,
  InputResponsesOf,
  Round,
  TypedInputRequest,
} from '../context/input-request.interface.js';
import type { InputRequestContext, InputRequesters } from '../context/request-parts.interface.js';
import { InputRequestKeys, requestEach } from './input-request-keys.js';
import { InvalidAnswerError } from './errors.js';
import { assertDeclared } from './required-capabilities.js';
import { INPUT_REQUEST_BUILDERS } from './input-request-builders.js';
import { explainRepetition, logInvalidAnswer, MOST_TRIES } from './retried-request.js';

/** Gets the answer to a question of a call, by any way to the client. Each key names one question. */
export type RequestFromHost = (key: string, request: InputRequest) => Promise<unknown>;

/** Makes calls on behalf of a client ask questions in the way of their host. */
export class HostInputRequesters implements InputRequesters {
  readonly builders = INPUT_REQUEST_BUILDERS;

  constructor(private readonly host: RequestFromHost) {}

  isMultiRoundTrip(): boolean {
    return false;
  }

  create(context: InputRequestContext): InputRequester {
    return new HostInputRequester(context, this.host);
  }
}

/** Asks the client by way of the host of the call. A wrong answer is asked for again, a few times. */
class HostInputRequester implements InputRequester {
  #round: Round = { inputResponses: {} };
  /** What the handler calls its questions, since it began again. */
  #names = new InputRequestKeys();
  /** What the host calls them: no key is used twice in a call, in any of its rounds. */
  readonly #keys = new InputRequestKeys();

  constructor(
    private readonly context: InputRequestContext,
    private readonly host: RequestFromHost,
  ) {}

  get round(): Round {
    return this.#round;
  }

  /** The handler begins again, and may give the names of the round before to its questions. */
  set round(round: Round) {
    this.#round = round;
    this.#names = new InputRequestKeys();
  }

  async request<Answer>(question: TypedInputRequest<Answer>): Promise<Answer> {
    return this.#ask(question, question.options.key ?? this.#names.count());
  }

  async requestAll<Questions extends { readonly [name: string]: TypedInputRequest<unknown> }>(
    questions: Questions,
  ): Promise<InputResponsesOf<Questions>> {
    for (const question of Object.values(questions)) assertDeclared(question, this.context);
    return requestEach(questions, (question, name) => this.#ask(question, question.options.key ?? name));
  }

  async #ask<Answer>(question: TypedInputRequest<Answer>, name: string): Promise<Answer> {
    assertDeclared(question, this.context);
    const { method } = question;
    const first: InputRequest = { method, params: question.buildParams(selectWording(this.context)) };
    let request = first;
    this.#names.claim(name);
    for (let asked = 1; ; asked += 1) {
      const key = this.#findFree(name);
      this.#keys.claim(key);
      const result = await this.#put(key, request);
      try {
        return await question.parseAnswer(result);
      } catch (error) {
        if (!(error instanceof InvalidAnswerError)) throw error;
        logInvalidAnswer(error, asked, this.context);
        if (asked === MOST_TRIES) throw error;
        request = explainRepetition(first, error);
      }
    }
  }

  #put(key: string, request: InputRequest): Promise<unknown> {
    const { operation } = this.context;
    if (operation === undefined) return this.host(key, request);
    return operation.follow(request, (followed) => this.host(key, followed));
  }

  /** What was asked once is asked again under another key: a client knows the first as answered. */
  #findFree(key: string): string {
    for (let count = 1; ; count += 1) {
      const free = count === 1 ? key : `${key}-${count}`;
      if (!this.#keys.has(free)) return free;
    }
  }
}

/**
 * A host may pass questions on in messages of an extension: what an older revision lacks as a request can be asked there.
 * The revision that has tasks of its own turns them into requests again, and names interactions.
 */
function selectWording({ revision }: InputRequestContext): Revision {
  return revision.defines.elicitationId ? revision : NEWEST_REVISION;
}
