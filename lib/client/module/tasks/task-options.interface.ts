/** How a task is, told whenever that changes. */
export interface McpTaskStatus {
  readonly taskId: string;
  /** `working`, `input_required`, `completed`, `failed` or `cancelled`. */
  readonly status: string;
  readonly statusMessage?: string | undefined;
}
