/** The status of a task, reported at each change. */
export interface McpTaskStatus {
  readonly taskId: string;
  /** `working`, `input_required`, `completed`, `failed` or `cancelled`. */
  readonly status: string;
  readonly statusMessage?: string | undefined;
}
