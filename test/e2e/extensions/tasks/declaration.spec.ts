import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { HANDSHAKE_VERSIONS, initialize, perRequest } from '../../../support/clients/json-rpc.js';
import { metaKey } from '../../../support/clients/message.js';
import { bootTaskDesk, type TaskDesk } from '../../../support/applications/task-desk.js';
import { TASK_CLIENT, TASKS } from '../../../support/clients/task-wires.js';

const DECLARED = { [metaKey('clientCapabilities')]: { extensions: { [TASKS]: {} } } };
const REFUSE = { name: 'refuse' };

describe('The declaration of the tasks extension', () => {
  let desk: TaskDesk;

  beforeAll(async () => {
    desk = await bootTaskDesk();
  });

  afterAll(() => desk.close());

  describe.each(HANDSHAKE_VERSIONS)('by one request of a session of %s', (version) => {
    it('makes its call a task, and no other (TASK-01) (CAP-01) (CAP-03)', async () => {
      const session = await initialize(desk.url, { version });
      const declared = await session.request('tools/call', { ...REFUSE, _meta: DECLARED });
      expect(declared.result).toMatchObject({ resultType: 'task', status: 'running' });
      const plain = await session.request('tools/call', REFUSE);
      expect(plain.result).toMatchObject({ isError: true });
      expect(plain.result).not.toHaveProperty('taskId');
      const { taskId } = declared.result ?? {};
      const looked = await session.request('tasks/get', { taskId, _meta: DECLARED });
      expect(looked.result).toMatchObject({ taskId, requestState: expect.any(String) });
      const hidden = await session.request('tasks/update', { taskId, inputResponses: {} });
      expect(hidden.error?.code).toBe(-32601);
    });

    it('lets its progress and its status through, though the session declared nothing (CAP-02) (TASK-06)', async () => {
      const session = await initialize(desk.url, { version });
      const stream = await session.openStream();
      const call = {
        name: 'report',
        arguments: { name: `once-${version}` },
        _meta: { ...DECLARED, progressToken: 9 },
      };
      const { result } = await session.request('tools/call', call);
      const progress = await stream.nextNotification('notifications/progress');
      expect(progress.params).toMatchObject({ progressToken: 9, progress: 1 });
      desk.tools.gates.at(`once-${version}`).open();
      const ended = await stream.nextMessage(({ params }) => params?.['status'] === 'completed');
      expect(ended).toMatchObject({
        method: 'notifications/tasks/status',
        params: { taskId: result?.['taskId'] },
      });
      await stream.close();
    });

    it('of none does not take back what the session declared (CAP-01)', async () => {
      const session = await initialize(desk.url, { version, capabilities: TASK_CLIENT });
      for (const capabilities of [{}, { extensions: {} }, { roots: {} }]) {
        const _meta = { [metaKey('clientCapabilities')]: capabilities };
        const { result } = await session.request('tools/call', { ...REFUSE, _meta });
        expect(result).toMatchObject({ resultType: 'task' });
      }
    });
  });

  it('counts for the one request of the stateless wire that has it (TASK-01) (CAP-01)', async () => {
    const client = perRequest(desk.url);
    const declared = await client.request('tools/call', REFUSE, { capabilities: TASK_CLIENT });
    const plain = await client.request('tools/call', REFUSE);
    expect(declared.result).toMatchObject({ resultType: 'task', status: 'working' });
    expect(plain.result).toMatchObject({ resultType: 'complete', isError: true });
  });

  it.each([
    ['another extension', { 'com.example/tasks': {} }],
    ['none', {}],
    ['a list', [TASKS]],
  ])('is not made by %s (CAP-03)', async (_case, extensions) => {
    const { result } = await perRequest(desk.url, { capabilities: { extensions } }).request(
      'tools/call',
      REFUSE,
    );
    expect(result).toMatchObject({ resultType: 'complete' });
  });

  it('is answered by the server’s own, which says what was published and no more (TASK-01) (EXT-01)', async () => {
    for (const version of HANDSHAKE_VERSIONS) {
      const { result } = await initialize(desk.url, { version });
      expect(result['capabilities']).toHaveProperty(['extensions'], { [TASKS]: {} });
    }
    const { result } = await perRequest(desk.url).request('server/discover');
    expect(result?.['capabilities']).toHaveProperty(['extensions'], { [TASKS]: {} });
    expect(result?.['capabilities']).not.toHaveProperty('tasks');
  });
});
