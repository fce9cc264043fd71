import type { ClientRequest } from '../../core/protocol/client-requests.js';
import { NEWEST_REVISION, type Revision } from '../../core/protocol/revisions.js';
import type { AnswersOf, InputRequester, Question, Round } from '../context/input-request.interface.js';
import type { InputRequesters, InputRequestContext } from '../context/request-parts.interface.js';
import { askEach } from './ask-each.js';
import { InvalidAnswerError } from './invalid-answer.error.js';
import { assertDeclared } from './missing-capability.js';
import { QUESTION_BUILDERS } from './questions/question-builders.js';
import { QuestionKeys } from './question-keys.js';
import { explainRepetition, logInvalidAnswer, MOST_TRIES } from './repeated-question.js';

/** Gets the answer to a question of a call, by any way to the client. Each key names one question. */
export type AskHost = (key: string, request: ClientRequest) => Promise<unknown>;

/** Makes calls on behalf of a client ask questions in the way of their host. */
export class HostAskers implements InputRequesters {
  readonly questions = QUESTION_BUILDERS;

  constructor(private readonly host: AskHost) {}

  takesRounds(): boolean {
    return false;
  }

  create(context: InputRequestContext): InputRequester {
    return new HostAsker(context, this.host);
  }
}

/** Asks the client by way of the host of the call. A wrong answer is asked for again, a few times. */
class HostAsker implements InputRequester {
  #round: Round = { inputResponses: {} };
  /** What the handler calls its questions, since it began again. */
  #names = new QuestionKeys();
  /** What the host calls them: no key is used twice in a call, in any of its rounds. */
  readonly #keys = new QuestionKeys();

  constructor(
    private readonly context: InputRequestContext,
    private readonly host: AskHost,
  ) {}

  get round(): Round {
    return this.#round;
  }

  /** The handler begins again, and may give the names of the round before to its questions. */
  set round(round: Round) {
    this.#round = round;
    this.#names = new QuestionKeys();
  }

  async ask<Answer>(question: Question<Answer>): Promise<Answer> {
    return this.#ask(question, question.options.key ?? this.#names.count());
  }

  async requestAll<Questions extends { readonly [name: string]: Question<unknown> }>(
    questions: Questions,
  ): Promise<AnswersOf<Questions>> {
    for (const question of Object.values(questions)) assertDeclared(question, this.context);
    return askEach(questions, (question, name) => this.#ask(question, question.options.key ?? name));
  }

  async #ask<Answer>(question: Question<Answer>, name: string): Promise<Answer> {
    assertDeclared(question, this.context);
    const { method } = question;
    const first: ClientRequest = { method, params: question.buildParams(selectWording(this.context)) };
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

  #put(key: string, request: ClientRequest): Promise<unknown> {
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
