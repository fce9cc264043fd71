import { ToolError } from '../context/tool-errors.js';

/** Thrown when the client responds to a request with an error. */
export class ClientResponseError extends ToolError {
  constructor(
    readonly method: string,
    readonly code: number,
    explanation: string,
  ) {
    super(`The client rejected "${method}": ${explanation}`);
  }
}
