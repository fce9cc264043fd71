import type { InputResponsesOf, TypedInputRequest } from '../context/input-request.interface.js';

/** Questions of one call, all rounds together. */
const MOST_QUESTIONS = 64;

/** The names of the questions of one call: each names one question and no other. */
export class InputRequestKeys {
  readonly #claimed = new Set<string>();

  has(key: string): boolean {
    return this.#claimed.has(key);
  }

  /** Returns the key of a question without a name. A key that a handler gave to another question is skipped. */
  count(): string {
    let number = this.#claimed.size + 1;
    while (this.#claimed.has(`question-${number}`)) number += 1;
    return `question-${number}`;
  }

  /**
   * Takes a key for a question.
   *
   * @throws {TypeError} if it is taken
   * @throws {RangeError} if the call has asked as much as it may
   */
  claim(key: string): void {
    if (this.#claimed.has(key)) {
      throw new TypeError(`The key "${key}" names two questions of one call: give each its own`);
    }
    if (this.#claimed.size >= MOST_QUESTIONS) {
      throw new RangeError(`A call may ask ${MOST_QUESTIONS} questions at most`);
    }
    this.#claimed.add(key);
  }
}

/** Asks several questions at once and gives the answers by the names of the questions. */
export async function requestEach<Questions extends { readonly [name: string]: TypedInputRequest<unknown> }>(
  questions: Questions,
  ask: (question: TypedInputRequest<unknown>, name: string) => Promise<unknown>,
): Promise<InputResponsesOf<Questions>> {
  const answers = Object.entries(questions).map(
    async ([name, question]) => [name, await ask(question, name)] as const,
  );
  return Object.fromEntries(await Promise.all(answers)) as InputResponsesOf<Questions>;
}
