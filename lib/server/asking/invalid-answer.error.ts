import { ToolError } from '../context/tool.error.js';

/** Is thrown if a client's answer is not what was asked for. */
export class InvalidAnswerError extends ToolError {
  constructor(
    readonly method: string,
    explanation: string,
  ) {
    super(`The client's answer to "${method}" is not valid: ${explanation}`);
  }
}
