import { SessionClient } from './session-client.js';
import { answer, isOver, order, showEnd, type Task } from './task.js';
import { drawBar, endBar } from './terminal.js';

/** Orders a report in a session, and asks for nothing after that: the session is told. */
export async function listenInSession(client: SessionClient, topic: string): Promise<void> {
  const leaving = new AbortController();
  const messages = await client.listen(leaving.signal);
  const { taskId } = await order(client, topic);
  for await (const { method, params = {} } of messages) {
    if (method === 'notifications/progress') drawProgress(params);
    if (method !== 'notifications/tasks/status' || params['taskId'] !== taskId) continue;
    const task = params as unknown as Task;
    if (task.inputRequests !== undefined) {
      endBar();
      await answer(client, task, 'text');
    }
    if (!isOver(task)) continue;
    endBar();
    showEnd(task);
    break;
  }
  leaving.abort();
}

function drawProgress({ progress, total, message }: Record<string, unknown>): void {
  drawBar(Number(progress), Number(total), String(message));
}
