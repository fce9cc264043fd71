import type { StatelessClient } from './stateless-client.js';
import { isOver, order, showEnd, type Task } from './task.js';
import { show } from './terminal.js';

/** Orders a report, listens to its task, and thinks better of it in the second chapter. */
export async function cancel(client: StatelessClient, topic: string): Promise<void> {
  const { taskId } = await order(client, topic);
  const leaving = new AbortController();
  let isWanted = true;
  for await (const task of listen(client, taskId, leaving.signal)) {
    if (isOver(task)) {
      showEnd(task);
      break;
    }
    const { status, statusMessage = '' } = task;
    if (statusMessage !== '') show('Task', `${status}, ${statusMessage}`);
    if (!isWanted || !statusMessage.startsWith('Chapter 2')) continue;
    isWanted = false;
    show('User', 'does not want it any more');
    await client.request('tasks/cancel', { taskId });
  }
  leaving.abort();
}

/** Gives a task as it is now, and with each change. */
async function* listen(client: StatelessClient, taskId: string, signal: AbortSignal): AsyncGenerator<Task> {
  const notifications = { taskIds: [taskId] };
  for await (const { method, params } of client.open('subscriptions/listen', { notifications }, signal)) {
    if (method === 'notifications/tasks') yield params as unknown as Task;
  }
}
