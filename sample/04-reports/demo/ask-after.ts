import { setTimeout as delay } from 'node:timers/promises';
import type { StatelessClient } from './stateless-client.js';
import { answer, isOver, order, showEnd, type Task } from './task.js';
import { drawBar, endBar } from './terminal.js';

/** Orders a report and asks after it until it is finished, as often as its task says. */
export async function askAfter(client: StatelessClient, topic: string): Promise<void> {
  let task = await order(client, topic);
  let shown = '';
  let chapters = 0;
  while (!isOver(task)) {
    await delay(task.pollIntervalMs);
    task = await client.request<Task>('tasks/get', { taskId: task.taskId });
    const { statusMessage = '' } = task;
    if (statusMessage !== shown) chapters = drawMessage(statusMessage) ?? chapters;
    shown = statusMessage;
    if (task.inputRequests === undefined) continue;
    endBar();
    await answer(client, task, 'html');
  }
  if (task.status === 'completed') drawBar(chapters, chapters, 'finished');
  endBar();
  showEnd(task);
}

/** The stateless wire has no progress for tasks, but what the handler says of itself is there to be read: of so many chapters. */
function drawMessage(text: string): number | undefined {
  const [, chapter, count, title = ''] = /^Chapter (\d+) of (\d+): (.+)$/.exec(text) ?? [];
  if (chapter === undefined) return undefined;
  drawBar(Number(chapter) - 1, Number(count), title);
  return Number(count);
}
