import type { StatelessClient } from './stateless-client.js';
import { isOver, order, showEnd, type Task } from './task.js';
import { show } from './terminal.js';

/** Orders a report, listens to its task, and thinks better of it in the second chapter. */
export async function cancel(client: StatelessClient, topic: string): Promise<void> {
  const { taskId } = await order(client, topic);
  const leaving = new AbortController();
  const notifications = { taskIds: [taskId] };
  let hasCancelled = false;
  for await (const { method, params } of client.open(
    'subscriptions/listen',
    { notifications },
    leaving.signal,
  )) {
    if (method !== 'notifications/tasks') continue;
    const task = params as unknown as Task;
    if (task.statusMessage !== undefined) show('Task', `${task.status}, ${task.statusMessage}`);
    if (isOver(task)) {
      showEnd(task);
      break;
    }
    if (hasCancelled || task.statusMessage?.startsWith('Chapter 2') !== true) continue;
    hasCancelled = true;
    show('User', 'does not want it any more');
    await client.request('tasks/cancel', { taskId });
  }
  leaving.abort();
}
