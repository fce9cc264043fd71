import type { JsonRpcErrorObject } from '../../../core/protocol/json-rpc.js';
import { McpClientError } from './mcp-client.error.js';

/** Facts about a task that ended without a result. */
export interface EndedTask {
  readonly taskId: string;
  /**
   * Its last status. `failed` and `cancelled` are final. `working` and `input_required` mean that the client gave it
   * up. `lost` means that the server no longer answers with the task.
   */
  readonly status: string;
  /** Why it was given up or lost; absent if the server ended it. */
  readonly reason?: string;
  /** What the server says. */
  readonly error?: JsonRpcErrorObject | undefined;
}

/**
 * Is thrown if a call became a task that ended without a result.
 *
 * @see MCP extension tasks
 */
export class McpTaskEndedError extends McpClientError {
  override readonly name = 'McpTaskEndedError';
  readonly code = 'task_ended';
  readonly taskId: string;
  /**
   * The last status of the task. `failed` and `cancelled` are final. `working` and `input_required` mean that the
   * client gave it up. `lost` means that the server no longer answers with the task.
   */
  readonly status: string;
  /** The error of the task, as the server gives it. */
  readonly error: JsonRpcErrorObject | undefined;

  constructor(client: string, { taskId, status, reason, error }: EndedTask) {
    const why = reason ?? error?.message;
    const about = why === undefined ? '' : `: ${why}`;
    super(
      client,
      `The task ${JSON.stringify(taskId)} of the client "${client}" ended as "${status}"${about}`,
    );
    this.taskId = taskId;
    this.status = status;
    this.error = error;
  }
}
