/** The context of a question, in addition to its parameters. */
export interface McpQuestionContext {
  /** The name of the client whose server asks. */
  readonly client: string;
  /** Is aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}
