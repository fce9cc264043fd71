import { McpClientError } from './mcp-client.error.js';

/** A server asked what nobody here answers, or whoever answers failed. Its text goes to the server. */
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
