import { ToolError } from '../context/tool.error.js';

/** The handler took longer than it may. */
export class TimeLimitError extends ToolError {
  constructor(readonly timeoutMs: number) {
    super(`The call took longer than ${timeoutMs} ms and was stopped`);
  }
}
