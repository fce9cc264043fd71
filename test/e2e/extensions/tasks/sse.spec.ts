import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SseClient } from '../../../support/clients/sse-client.js';
import { bootTaskDesk, type TaskDesk } from '../../../support/applications/task-desk.js';
import { TASK_CLIENT } from '../../../support/clients/task-wires.js';

describe('Tasks over the transport of 2024-11-05', () => {
  let desk: TaskDesk;

  beforeAll(async () => {
    desk = await bootTaskDesk({ sse: true });
  });

  afterAll(() => desk.close());

  it.each(['2024-11-05', '2025-11-25'])(
    'are told of on the one stream of a session of %s that declared the extension (TASK-03) (TASK-06)',
    async (version) => {
      const client = await SseClient.connect(`${desk.origin}/sse`, { version, capabilities: TASK_CLIENT });
      const name = `sse-${version}`;
      const { result } = await client.request('tools/call', {
        name: 'report',
        arguments: { name },
        _meta: { progressToken: 3 },
      });
      expect(result).toMatchObject({ resultType: 'task', status: 'running' });
      desk.tools.gates.at(name).open();
      const ended = await client.stream.nextMessage(({ params }) => params?.['status'] === 'completed');
      expect(ended).toMatchObject({
        method: 'notifications/tasks/status',
        params: { taskId: result?.['taskId'], result: { content: [{ text: 'reported' }] } },
      });
      const progress = client.stream.messages.filter(({ method }) => method === 'notifications/progress');
      expect(progress.map(({ params }) => params?.['progress'])).toEqual([1, 2]);
      await client.close();
    },
  );
});
