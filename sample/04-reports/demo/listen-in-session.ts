import type { SessionClient } from './session-client.js';
import { answer, isOver, order, showEnd, type Task } from './task.js';
import { drawBar, endBar } from './terminal.js';

/** Orders a report in a session, and asks for nothing after that: the session is told. */
export async function listenInSession(client: SessionClient, topic: string): Promise<void> {
  const leaving = new AbortController();
  const messages = await client.listen(leaving.signal);
  await order(client, topic);
  for await (const { method, params = {} } of messages) {
    if (method === 'notifications/progress') drawProgress(params);
    if (method !== 'notifications/tasks/status') continue;
    const task = params as unknown as Task;
    if (isOver(task)) {
      endBar();
      showEnd(task);
      break;
    }
    if (task.inputRequests === undefined) continue;
    endBar();
    await answer(client, task, 'text');
  }
  leaving.abort();
}

function drawProgress({ progress, total, message }: Record<string, unknown>): void {
  drawBar(Number(progress), Number(total), String(message));
}
