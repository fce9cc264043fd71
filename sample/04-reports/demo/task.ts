import { show } from './terminal.js';

/** A task as clients see it. In a session that declared the extension `working` is called `running`. */
export interface Task {
  readonly taskId: string;
  readonly status: 'working' | 'running' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  readonly statusMessage?: string;
  readonly pollIntervalMs: number;
  readonly inputRequests?: Record<string, { readonly params: { readonly message: string } }>;
  readonly result?: { readonly structuredContent?: { readonly number: string; readonly text: string } };
  readonly error?: { readonly message: string };
}

/** A client with whose requests a task can be answered. */
interface Requesting {
  request<Result>(method: string, params: Record<string, unknown>): Promise<Result>;
}

export function isOver({ status }: Task): boolean {
  return ['completed', 'failed', 'cancelled'].includes(status);
}

/** Orders a report, and gives the task that writes it. */
export async function order(client: Requesting, topic: string): Promise<Task> {
  const call = { name: 'write_report', arguments: { topic }, _meta: { progressToken: topic } };
  const task = await client.request<Task>('tools/call', call);
  show('Ordered', `"${topic}" is task ${task.taskId}`);
  return task;
}

/** Answers what a task asks: the user of this demo always knows the format. */
export async function answer(client: Requesting, task: Task, format: string): Promise<void> {
  const { taskId, inputRequests = {} } = task;
  for (const [key, { params }] of Object.entries(inputRequests)) {
    show('Server', params.message);
    show('User', format);
    const inputResponses = { [key]: { action: 'accept', content: { format } } };
    await client.request('tasks/update', { taskId, inputResponses });
  }
}

/** Shows what a task came to. */
export function showEnd({ status, result, error }: Task): void {
  const { number, text } = result?.structuredContent ?? {};
  const firstLine = text?.split('\n')[0];
  show('Task', [status, number, firstLine, error?.message].filter((part) => part !== undefined).join(', '));
}
