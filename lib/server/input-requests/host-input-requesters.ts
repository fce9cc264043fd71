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

/** Sends a call's input request, and resolves to the client's response. Each key identifies one input request. */
export type RequestFromHost = (key: string, request: InputRequest) => Promise<unknown>;

/** Sends calls' input requests through their host, such as an extension. */
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

/** Sends one call's input requests through its host. Repeats a request a few times if the response is invalid. */
class HostInputRequester implements InputRequester {
  #round: Round = { inputResponses: {} };
  /** The keys that the handler has used since it last started. */
  #names = new InputRequestKeys();
  /** The keys that the host receives. No key is used twice in a call, in any round. */
  readonly #keys = new InputRequestKeys();

  constructor(
    private readonly context: InputRequestContext,
    private readonly host: RequestFromHost,
  ) {}

  get round(): Round {
    return this.#round;
  }

  /** Sets the round when the handler restarts. The handler may reuse keys from earlier rounds. */
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

  /** Returns an unused key. Clients would ignore a repeated request whose key they have already responded to. */
  #findFree(key: string): string {
    for (let count = 1; ; count += 1) {
      const free = count === 1 ? key : `${key}-${count}`;
      if (!this.#keys.has(free)) return free;
    }
  }
}

/**
 * Selects the revision for a request's parameters. A host may send requests in an extension's messages, which support
 * requests that an older revision lacks. The revision with built-in tasks converts them back into requests, and has
 * `elicitationId`.
 */
function selectWording({ revision }: InputRequestContext): Revision {
  return revision.defines.elicitationId ? revision : NEWEST_REVISION;
}
