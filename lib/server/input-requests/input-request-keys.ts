import type { InputResponsesOf, TypedInputRequest } from '../context/input-request.interface.js';

/** The maximum number of input requests per call, in all rounds. */
const MOST_QUESTIONS = 64;

/** The keys of one call's input requests. Each identifies one request. */
export class InputRequestKeys {
  readonly #claimed = new Set<string>();

  has(key: string): boolean {
    return this.#claimed.has(key);
  }

  /** Returns a key for an input request that has none. Skips keys that the handler used for other requests. */
  count(): string {
    let number = this.#claimed.size + 1;
    while (this.#claimed.has(`question-${number}`)) number += 1;
    return `question-${number}`;
  }

  /**
   * Claims a key for an input request.
   *
   * @throws {TypeError} if the key is in use
   * @throws {RangeError} if the call has sent the maximum number of input requests
   */
  claim(key: string): void {
    if (this.#claimed.has(key)) {
      throw new TypeError(
        `The key "${key}" is used for two input requests of one call: use a different key for each`,
      );
    }
    if (this.#claimed.size >= MOST_QUESTIONS) {
      throw new RangeError(`A call may send at most ${MOST_QUESTIONS} input requests`);
    }
    this.#claimed.add(key);
  }
}

/** Sends several input requests concurrently, and resolves to their responses with the same keys. */
export async function requestEach<Questions extends { readonly [name: string]: TypedInputRequest<unknown> }>(
  questions: Questions,
  ask: (question: TypedInputRequest<unknown>, name: string) => Promise<unknown>,
): Promise<InputResponsesOf<Questions>> {
  const answers = Object.entries(questions).map(
    async ([name, question]) => [name, await ask(question, name)] as const,
  );
  return Object.fromEntries(await Promise.all(answers)) as InputResponsesOf<Questions>;
}
