import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { bootTaskDesk, type TaskDesk } from '../../support/applications/task-desk.js';
import { publishedClient, serviceClient } from '../../support/clients/task-wires.js';
import { recordAudit, type AuditedDesk } from './audited-desk.js';

describe('The audit of tasks', () => {
  let desk: TaskDesk;
  let audit: Pick<AuditedDesk, 'events' | 'find'>;

  beforeEach(async () => {
    desk = await bootTaskDesk({ tasks: { concurrency: 1 } });
    audit = recordAudit(desk);
  });

  afterEach(() => desk.close());

  const findRun = () => audit.find(({ type }) => type === 'task');

  it('has the call that makes a task, and later what came of it (OPS-03)', async () => {
    const client = publishedClient(desk.url);
    const { taskId } = await client.create('wait', { name: 'gate' });
    const made = await audit.find({ method: 'tools/call' });
    expect(made).toMatchObject({ type: 'request', target: 'wait', outcome: 'ok' });
    expect(made.task).toMatch(/^[\da-f]{16}$/);
    expect(audit.events.filter(({ type }) => type === 'task')).toEqual([]);
    desk.tools.gates.at('gate').open();
    await client.reach(taskId);
    expect(await findRun()).toMatchObject({ target: 'wait', outcome: 'ok', task: made.task });
    expect(audit.events.filter(({ type }) => type === 'task')).toHaveLength(1);
    expect(JSON.stringify(audit.events)).not.toContain(taskId);
  });

  it('has the incident of a task that fails (OPS-03)', async () => {
    const client = await serviceClient(desk.url);
    await client.reach((await client.create('crash'))['taskId']);
    const run = await findRun();
    expect(run.outcome).toBe('tool_error');
    expect(run.incident).toMatch(/^[\da-f]{12}$/);
  });

  it('has tasks that are cancelled, once each, whether they run or wait (OPS-03)', async () => {
    const client = publishedClient(desk.url);
    const running = await client.create('wait', { name: 'a' });
    const waiting = await client.create('wait', { name: 'b' });
    await client.send('tasks/cancel', { taskId: waiting.taskId });
    const first = await findRun();
    expect(first).toMatchObject({ target: 'wait', outcome: 'cancelled' });
    await client.send('tasks/cancel', { taskId: running.taskId });
    const second = await audit.find((event) => event.type === 'task' && event !== first);
    expect(second).toMatchObject({ target: 'wait', outcome: 'cancelled' });
    const cancelled = audit.events.filter(({ method }) => method === 'tasks/cancel');
    expect(cancelled.map(({ task }) => task)).toEqual([first.task, second.task]);
    await client.send('tasks/get', { taskId: running.taskId });
    expect(audit.events.filter(({ type }) => type === 'task')).toHaveLength(2);
  });

  it('has the questions of a task (OPS-03)', async () => {
    const client = publishedClient(desk.url);
    const { taskId } = await client.create('ask');
    await client.reach(taskId, 'input_required');
    const answer = { action: 'accept', content: { word: 'quire' } };
    await client.send('tasks/update', { taskId, inputResponses: { word: answer } });
    await client.reach(taskId);
    expect(await audit.find({ type: 'input_request' })).toMatchObject({
      method: 'elicitation/create',
      outcome: 'ok',
      action: 'accept',
    });
  });
});
