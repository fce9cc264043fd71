import { ToolError } from '../context/tool-errors.js';

/** Is thrown if a client's answer does not fit the question. */
export class InvalidAnswerError extends ToolError {
  constructor(
    readonly method: string,
    /** What is wrong with the answer. */
    readonly explanation: string,
  ) {
    super(`The client's answer to "${method}" is not valid: ${explanation}`);
  }
}
