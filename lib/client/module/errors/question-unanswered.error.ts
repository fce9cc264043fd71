import { McpClientError } from './mcp-client.error.js';

/** Is thrown if no handler answers a question of a server, or if its handler failed. The text goes to the server. */
export class QuestionUnansweredError extends McpClientError {
  override readonly name = 'QuestionUnansweredError';
  readonly code = 'question_unanswered';

  constructor(
    client: string,
    /** For example `elicitation/create`. */
    readonly method: string,
    cause?: unknown,
  ) {
    super(client, `The question ${JSON.stringify(method.slice(0, 100))} could not be answered`, { cause });
  }
}
