import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADAPTERS } from '../../../support/applications/boot.js';
import { RecordedLog } from '../../../support/records/recorded-log.js';
import type { JsonObject } from '../../../support/clients/message.js';
import { bootTaskDesk, type TaskDesk } from '../../../support/applications/task-desk.js';
import {
  publishedClient,
  serviceClient,
  textOfTask,
  type TaskClient,
} from '../../../support/clients/task-wires.js';
import { until } from '../../../support/until.js';

const isAsked = ({ inputRequests }: JsonObject, key: string): boolean =>
  Object.hasOwn((inputRequests as JsonObject | undefined) ?? {}, key);

describe.each(ADAPTERS)('The handler of a task, on %s', (adapter) => {
  const log = new RecordedLog();
  let desk: TaskDesk;
  let client: TaskClient;

  beforeAll(async () => {
    desk = await bootTaskDesk({}, { adapter, nest: { logger: log } });
    client = publishedClient(desk.url);
  });

  afterAll(() => desk.close());

  const run = async (name: string, given = {}) => client.reach((await client.create(name, given))['taskId']);

  it('completes its task with a result that says it failed (TASK-02)', async () => {
    expect(await run('refuse')).toMatchObject({
      status: 'completed',
      result: { isError: true, content: [{ text: 'There is no paper' }] },
    });
  });

  it('fails its task with an error of the protocol alone (TASK-02)', async () => {
    const failed = await run('break');
    expect(failed).toMatchObject({
      status: 'failed',
      statusMessage: 'The press is broken',
      error: { code: -32603, message: 'The press is broken', data: { press: 7 } },
    });
    expect(failed).not.toHaveProperty('result');
  });

  it('may give questions in place of a result, round after round under one name (TASK-01) (REV-02)', async () => {
    const { taskId } = await client.create('guess');
    const answered: string[] = [];
    for (const word of ['ream', 'sheet', 'quire']) {
      const { inputRequests } = await client.reach(taskId, 'input_required');
      const [key = ''] = Object.keys(inputRequests ?? {});
      const inputResponses = { [key]: { action: 'accept', content: { word } } };
      await client.send('tasks/update', { taskId, inputResponses });
      answered.push(key);
      await until(async () => !isAsked(await client.get(taskId), key), 'the next round');
    }
    expect(textOfTask(await client.reach(taskId))).toBe('Right, in round 3');
    expect(answered).toEqual(['guess', 'guess-2', 'guess-3']);
  });

  it('tells no secret of what it threw, and the log has it (TASK-02) (SAFE-04)', async () => {
    const crashed = await run('crash');
    expect(crashed).toMatchObject({ status: 'completed', result: { isError: true } });
    expect(JSON.stringify(crashed)).not.toContain('4711');
    await until(() => log.text.includes('4711'), 'the log entry');
  });

  it.each(['cycle', 'big'])(
    'that gives a %s ends its task with a failure (TASK-02) (SAFE-04)',
    async (name) => {
      const ended = await run('odd', { name });
      const failed =
        ended['status'] === 'failed' || (ended['result'] as { isError?: boolean })?.isError === true;
      expect(failed).toBe(true);
    },
  );

  it('gives structured content that fits its output schema (TASK-02) (CORE-06)', async () => {
    expect(await run('count', { name: 'four' })).toMatchObject({
      result: { structuredContent: { total: 4 }, content: [{ text: '{"total":4}' }] },
    });
    expect(await run('count', { name: 'wrong' })).toMatchObject({ result: { isError: true } });
  });

  it('is not called with arguments that do not fit (TASK-02)', async () => {
    const ended = await run('wait', { name: 7 });
    expect(ended).toMatchObject({ status: 'completed', result: { isError: true } });
    expect(textOfTask(ended)).toContain('name');
    expect([...desk.tools.calls.keys()]).not.toContain(7);
  });

  it('that hangs is aborted with the time to live, and its task fails with the reason (TASK-02) (SAFE-04)', async () => {
    const ended = await run('hang', { name: `hung-${adapter}` });
    expect(ended).toMatchObject({
      status: 'failed',
      statusMessage: 'The task exceeded its time to live',
      ttlMs: 150,
      error: { code: -32603 },
    });
    await until(() => desk.tools.aborted.has(`hung-${adapter}`), 'the abort');
  });

  it('that asks what its client cannot answer hears so (TASK-02) (REV-01)', async () => {
    const mute = publishedClient(desk.url, {
      capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } },
    });
    const { taskId } = await mute.create('ask');
    expect(await mute.reach(taskId)).toMatchObject({ status: 'failed', error: { code: -32021 } });
  });

  it('says where it is, in words that are cut where they are too long (TASK-02)', async () => {
    const service = await serviceClient(desk.url);
    const { taskId } = await service.create('report', { name: 'worded' });
    expect(await until(async () => (await service.get(taskId))['statusMessage'], 'the words')).toBe(
      'Half of it is there',
    );
    desk.tools.gates.at('worded').open();
    expect(await service.reach(taskId)).not.toHaveProperty('statusMessage');
  });
});
