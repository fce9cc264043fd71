import type { Client } from '@modelcontextprotocol/client';
import type { Elicited, Questions } from './questions.js';

/** Who answers. */
export interface Answerer {
  readonly questions: Questions;
  /** The folders to tell of. */
  readonly roots: readonly string[];
}

/** Has the questions of the server put to the user of the page. */
export function answerQuestions(client: Client, answerer: Answerer): void {
  const { questions } = answerer;
  client.setRequestHandler('elicitation/create', ({ params }, { mcpReq: { signal } }) =>
    questions.ask<Elicited>((answer) => ({ kind: 'elicitation', params, answer }), {
      signal,
      withdrawn: { action: 'cancel' },
    }),
  );
  client.setRequestHandler('sampling/createMessage', async ({ params }, { mcpReq: { signal } }) => {
    const text = await questions.ask<string | undefined>((answer) => ({ kind: 'sampling', params, answer }), {
      signal,
      withdrawn: undefined,
    });
    if (text === undefined) throw new Error('The user refused to answer.');
    return { role: 'assistant', content: { type: 'text', text }, model: 'person', stopReason: 'endTurn' };
  });
  client.setRequestHandler('roots/list', () => ({ roots: answerer.roots.map((uri) => ({ uri })) }));
}
