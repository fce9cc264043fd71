import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { RequireScope, Tool } from 'nestjs-mcp';
import { memoryCluster } from 'nestjs-mcp/testing';
import { z } from 'zod';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { authorize, bootDesk, PUBLISHED, textOf } from '../../support/applications/protected-desk.js';
import { SharedQueue } from '../../support/applications/shared-queue.js';
import {
  coreClient,
  publishedClient,
  textOfTask,
  type TaskClient,
} from '../../support/clients/task-wires.js';
import { CLUSTER_SECRET } from '../../support/cluster/task-desks.js';

/** What the schema makes of any project, one after the other. */
let next: string[] = [];
const ran: string[] = [];

const SHIFTING = z
  .object({ project: z.string() })
  .transform(({ project }) => ({ project: next.shift() ?? project }));

/** A tool whose schema does not give the same twice. */
@Injectable()
class ShiftingTools {
  @Tool({ inputSchema: SHIFTING, task: 'optional', pollIntervalMs: 20 })
  @RequireScope('project:{project}:write')
  write({ project }: { project: string }) {
    ran.push(project);
    return `written to ${project}`;
  }
}

const ADA = { token: 'fixed-token-of-ada-who-has-alpha', subject: 'ada', scopes: ['project:alpha:write'] };
const HEADERS = authorize(ADA.token);

const CLIENTS: readonly (readonly [name: string, open: (url: string) => Promise<TaskClient>])[] = [
  ['published', async (url) => publishedClient(url, { headers: HEADERS })],
  ['core', (url) => coreClient(url, { headers: HEADERS })],
];

const CASES = ADAPTERS.flatMap((adapter) => CLIENTS.map(([name, open]) => ({ adapter, name, open })));

beforeEach(() => {
  next = [];
  ran.length = 0;
});

describe.each(CASES)('Scopes by the arguments of a task, $name on $adapter', ({ adapter, open }) => {
  let desk: RunningApp;

  beforeEach(async () => {
    desk = await bootDesk(adapter, {
      auth: { ...PUBLISHED, bearer: [ADA] },
      options: { tasks: true },
      providers: [ShiftingTools],
    });
  });

  afterEach(() => desk.close());

  it('are those of what runs, whatever the schema would give later (XTN-04)', async () => {
    next = ['alpha', 'beta', 'beta'];
    const client = await open(desk.url);
    const { taskId } = await client.create('write', { project: 'anything' });
    await client.reach(taskId);
    expect(ran).toEqual(['alpha']);
  });

  it('are asked for before there is a task (XTN-04)', async () => {
    next = ['beta', 'alpha'];
    const client = await open(desk.url);
    expect((await client.call('write', { project: 'alpha' })).status).toBe(403);
    expect(ran).toEqual([]);
  });
});

describe.each(ADAPTERS)('Scopes by the arguments of a task that another process runs, on %s', (adapter) => {
  let desks: readonly RunningApp[];

  beforeEach(async () => {
    const queue = new SharedQueue();
    const cluster = memoryCluster();
    const boot = () =>
      bootDesk(adapter, {
        auth: { ...PUBLISHED, bearer: [ADA] },
        options: { secret: CLUSTER_SECRET, cluster, tasks: { queue: queue.open() } },
        providers: [ShiftingTools],
      });
    desks = [await boot(), await boot()];
  });

  afterEach(() => Promise.all(desks.map((desk) => desk.close())));

  async function run(): Promise<string> {
    const client = publishedClient(desks[0]!.url, { headers: HEADERS });
    const { taskId } = await client.create('write', { project: 'anything' });
    return textOfTask(await client.reach(taskId));
  }

  it('are asked for again by what runs there (XTN-04)', async () => {
    next = ['alpha', 'beta'];
    expect(await run()).toBe('insufficient_scope: project:beta:write');
    expect(ran).toEqual([]);
  });

  it('let it run if the token has these (XTN-04)', async () => {
    next = ['alpha', 'alpha'];
    expect(await run()).toBe('written to alpha');
    expect(ran).toEqual(['alpha']);
  });
});

describe.each(ADAPTERS)('Scopes by arguments that are parsed again, on %s', (adapter) => {
  it('are those of what runs in a call that waits for nothing (XTN-04)', async () => {
    const desk = await bootDesk(adapter, {
      auth: { ...PUBLISHED, bearer: [ADA] },
      options: { tasks: true },
      providers: [ShiftingTools],
    });
    next = ['alpha', 'beta'];
    const client = publishedClient(desk.url, { headers: HEADERS, capabilities: {} });
    const { result } = await client.call('write', { project: 'anything' });
    expect([textOf(result!), ran]).toEqual(['written to alpha', ['alpha']]);
    await desk.close();
  });
});
