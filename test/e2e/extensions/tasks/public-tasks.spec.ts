import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpTasks, Public, Tool, type McpContext } from 'nestjs-mcp';
import type { RunningApp } from '../../../support/applications/boot.js';
import { authorize, bootDesk, CALLERS } from '../../../support/applications/protected-desk.js';
import {
  coreClient,
  publishedClient,
  serviceClient,
  textOfTask,
  type TaskClient,
} from '../../../support/clients/task-wires.js';

@Injectable()
class HelpTools {
  constructor(private readonly tasks: McpTasks) {}

  @Public()
  @Tool({ description: 'Runs as a task where it may', task: 'optional' })
  search(): string {
    return 'found';
  }

  @Public()
  @Tool({ description: 'Runs as a task alone', task: 'required' })
  crawl(): string {
    return 'crawled';
  }

  @Public()
  @Tool({ description: 'Goes on as a task where it may' })
  collect(_arguments: object, context: McpContext): Promise<unknown> {
    return this.tasks.start(context, () => 'collected');
  }
}

const DECLARING = { published: publishedClient, service: serviceClient } as const;
const ALL = { ...DECLARING, core: coreClient } as const;

describe('Public tools that run as tasks, on a protected server', () => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootDesk('express', { options: { tasks: true }, providers: [HelpTools] });
  });

  afterAll(() => desk.close());

  const connect = async (wire: keyof typeof ALL, token?: string): Promise<TaskClient> =>
    ALL[wire](desk.url, { headers: authorize(token) });

  it.each(['published', 'service'] as const)(
    'answer a caller without a token, who could not look at a task, at once on the %s wire (TASK-07) (STEP-06)',
    async (wire) => {
      const anybody = await connect(wire);
      const results = [await anybody.call('search'), await anybody.call('collect')];
      expect(results.map(({ result }) => textOfTask(result ?? {}))).toEqual(['found', 'collected']);
    },
  );

  it.each(['published', 'service', 'core'] as const)(
    'ask a caller for a token where the call can be a task alone, on the %s wire (TASK-07) (STEP-06)',
    async (wire) => {
      const name = wire === 'core' ? 'search' : 'crawl';
      const { status, headers } = await (await connect(wire)).call(name);
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
    },
  );

  it.each(['published', 'service', 'core'] as const)(
    'become tasks of a caller with a token on the %s wire (TASK-07)',
    async (wire) => {
      const ada = await connect(wire, CALLERS.ada.token);
      const { taskId } = await ada.create('crawl');
      expect(await ada.reach(taskId)).toMatchObject({ status: 'completed' });
    },
  );
});
