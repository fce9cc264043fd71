import { ToolError } from '../context/tool.error.js';

/** Is thrown if the client could not, or would not, answer a request. */
export class ClientResponseError extends ToolError {
  constructor(
    readonly method: string,
    readonly code: number,
    explanation: string,
  ) {
    super(`The client refused "${method}": ${explanation}`);
  }
}
