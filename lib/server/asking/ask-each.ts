import type { AnswersOf, Question } from '../context/input-request.interface.js';

/** Asks several questions at once and gives the answers by the names of the questions. */
export async function askEach<Questions extends { readonly [name: string]: Question<unknown> }>(
  questions: Questions,
  ask: (question: Question<unknown>, name: string) => Promise<unknown>,
): Promise<AnswersOf<Questions>> {
  const answers = Object.entries(questions).map(
    async ([name, question]) => [name, await ask(question, name)] as const,
  );
  return Object.fromEntries(await Promise.all(answers)) as AnswersOf<Questions>;
}
