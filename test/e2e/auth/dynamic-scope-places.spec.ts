import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Get, Injectable, UseGuards } from '@nestjs/common';
import {
  EventSource,
  McpAuthGuard,
  McpInMemoryConnector,
  Public,
  RequireScope,
  Resource,
  ResourceTemplate,
  Tool,
} from 'nestjs-mcp';
import { NEVER, type Observable } from 'rxjs';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { PROJECT_CALLERS, ProjectHandlers, ran } from '../../support/applications/project-desk.js';
import { authorize, bootDesk, PUBLISHED, WAYS } from '../../support/applications/protected-desk.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { sendHttp } from '../../support/clients/raw-http.js';
import { SseClient } from '../../support/clients/sse-client.js';
import { publishedClient } from '../../support/clients/task-wires.js';

const PROJECT = {
  type: 'object',
  properties: { project: { type: 'string' } },
  required: ['project'],
} as const;
const { none, desk: dan, alpha } = PROJECT_CALLERS;

@Controller('projects')
@UseGuards(McpAuthGuard)
class ProjectController {
  @Get(':project/plan')
  @RequireScope('desk:plan', 'project:{project}:read')
  plan(): object {
    ran.push('route');
    return { plan: 'rest' };
  }

  @Get(':project/board')
  @RequireScope(({ kind, name, variables, context: { auth } }) => [
    `${kind}:${name}`,
    `project:${String(variables['project'])}:of:${auth.claims?.sub ?? ''}`,
  ])
  board(): object {
    ran.push('route');
    return {};
  }
}

@Injectable()
class ProjectNews {
  @EventSource({ name: 'ticket.opened', inputSchema: PROJECT })
  @RequireScope('desk:write', 'project:{project}:read')
  opened(): Observable<object> {
    return NEVER;
  }
}

@Injectable()
class ProjectPress {
  @Tool({ inputSchema: PROJECT, task: 'optional' })
  @RequireScope('project:{project}:read')
  print({ project }: { project: string }): string {
    ran.push(`print ${project}`);
    return project;
  }

  @Public()
  @Tool()
  hours(): string {
    return '9 to 17';
  }

  @Resource({ uri: 'desk://rules' })
  rules(): string {
    return 'rules';
  }
}

const challengeFor = (scope: string) =>
  expect.stringContaining(`error="insufficient_scope", scope="${scope}"`);

describe.each(ADAPTERS)('Scopes that depend on the call, on %s,', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootDesk(adapter, {
      auth: { ...PUBLISHED, bearer: Object.values(PROJECT_CALLERS) },
      options: { tasks: true, events: true, sse: true },
      controllers: [ProjectController],
      providers: [ProjectHandlers, ProjectNews, ProjectPress],
    });
  });

  beforeEach(() => void (ran.length = 0));

  afterAll(() => desk.close());

  const get = (path: string, token?: string) =>
    sendHttp(`${desk.origin}/projects/${path}`, { method: 'GET', headers: authorize(token) });

  it('hold for routes of the application, by their parameters (XTN-04)', async () => {
    const refused = await get('alpha/plan', none.token);
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      403,
      challengeFor('desk:plan project:alpha:read'),
    ]);
    expect((await get('alpha/plan')).status).toBe(401);
    expect((await get('beta/plan', alpha.token)).status).toBe(403);
    expect((await get('alpha%20desk:admin/plan', alpha.token)).status).toBe(400);
    expect(ran).toEqual([]);
    expect((await get('alpha/plan', alpha.token)).status).toBe(200);
    const board = await get('alpha/board', none.token);
    expect(board.headers['www-authenticate']).toEqual(
      challengeFor('route:ProjectController.board project:alpha:of:eve'),
    );
    expect(ran).toEqual(['route']);
  });

  it('hold for event sources, by the arguments of whoever listens (XTN-04)', async () => {
    const poll = (token: string, given: JsonObject) =>
      perRequest(desk.url, { headers: authorize(token) }).request('events/poll', {
        name: 'ticket.opened',
        arguments: given,
      });
    const refused = await poll(none.token, { project: 'alpha' });
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([
      403,
      challengeFor('desk:write project:alpha:read'),
    ]);
    expect((await poll(none.token, { project: 7 })).headers['www-authenticate']).toEqual(
      challengeFor('desk:write'),
    );
    expect((await poll(dan.token, { project: 'a b' })).error?.code).toBe(-32602);
    expect((await poll(alpha.token, { project: 'beta' })).status).toBe(403);
    expect(await poll(alpha.token, { project: 'alpha' })).toMatchObject({
      status: 200,
      result: { events: [] },
    });
  });

  it('are checked before a task begins, and belong to it (XTN-04)', async () => {
    const client = publishedClient(desk.url, { headers: authorize(alpha.token) });
    const refused = await client.call('print', { project: 'beta' });
    expect([refused.status, refused.headers['www-authenticate'], ran]).toEqual([
      403,
      challengeFor('project:beta:read'),
      [],
    ]);
    const { taskId } = await client.create('print', { project: 'alpha' });
    expect(await client.reach(taskId)).toMatchObject({ status: 'completed' });
    expect(ran).toEqual(['print alpha']);
  });

  it('hold over HTTP+SSE, as text (XTN-04)', async () => {
    const client = await SseClient.connect(`${desk.origin}/sse`, { headers: authorize(none.token) });
    const { result } = await client.request('tools/call', { name: 'open', arguments: { project: 'alpha' } });
    expect(JSON.stringify(result)).toContain('insufficient_scope: project:alpha:read');
    await client.stream.close();
    expect(ran).toEqual([]);
  });

  it('hold in memory (XTN-04)', async () => {
    const { Client } = await import('@modelcontextprotocol/client');
    const client = new Client({ name: 'memory', version: '1.0.0' });
    await client.connect(
      await desk.app.get(McpInMemoryConnector).connect({ claims: { sub: 'eve', scopes: [] } }),
    );
    const result = await client.callTool({ name: 'open', arguments: { project: 'alpha' } });
    expect(JSON.stringify(result)).toContain('insufficient_scope: project:alpha:read');
    await client.close();
  });
});

@Injectable()
class LayeredResources {
  @Tool({ inputSchema: PROJECT, visible: ({ auth }) => auth.claims?.sub === 'ada' })
  @RequireScope('desk:secret', ({ name }) => {
    ran.push('asked');
    return `tool:${name}`;
  })
  secret(): string {
    return 'secret';
  }

  @Resource({
    uri: 'project://alpha/board',
    name: 'front',
    visible: ({ auth }) => auth.claims?.sub === 'ada',
  })
  @RequireScope(() => 'desk:front')
  front(): string {
    return 'front';
  }

  @ResourceTemplate({ uriTemplate: 'project://{project}/board', name: 'behind' })
  @RequireScope('project:{project}:board')
  behind(): string {
    return 'behind';
  }
}

describe.each(WAYS)('What is hidden $wire on $adapter', ({ adapter, connect }) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootDesk(adapter, {
      auth: { ...PUBLISHED, bearer: Object.values(PROJECT_CALLERS) },
      providers: [LayeredResources],
    });
  });

  beforeEach(() => void (ran.length = 0));

  afterAll(() => desk.close());

  const ask = async (token: string, method: string, params: JsonObject) =>
    (await connect(desk.url, token))(method, params).answer();

  it('tells nothing of its scopes, and its function is not asked (XTN-04) (NEST-06)', async () => {
    const call = (name: string) => ask(none.token, 'tools/call', { name, arguments: { project: 'a' } });
    const [hidden, missing] = [await call('secret'), await call('nothing')];
    expect([hidden.status, hidden.error?.code]).toEqual([missing.status, missing.error?.code]);
    expect(ran).toEqual([]);
    const seen = await ask(alpha.token, 'tools/call', { name: 'secret', arguments: { project: 'a' } });
    expect(seen.headers['www-authenticate']).toEqual(challengeFor('desk:secret tool:secret'));
    expect(ran).toEqual(['asked']);
  });

  it('leaves what is behind it, with the scopes of that alone (XTN-04) (NEST-06)', async () => {
    const read = (token: string) => ask(token, 'resources/read', { uri: 'project://alpha/board' });
    expect((await read(none.token)).headers['www-authenticate']).toEqual(challengeFor('project:alpha:board'));
    expect((await read(alpha.token)).headers['www-authenticate']).toEqual(challengeFor('desk:front'));
  });
});

describe.each(WAYS)('A filtered list $wire on $adapter', ({ adapter, connect }) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootDesk(adapter, {
      auth: { ...PUBLISHED, bearer: Object.values(PROJECT_CALLERS), filterLists: true },
      options: { tasks: true },
      providers: [ProjectHandlers, ProjectPress],
    });
  });

  afterAll(() => desk.close());

  const list = async (token?: string) => {
    const { result } = await (await connect(desk.url, token))('tools/list').answer();
    const tools = (result?.['tools'] ?? []) as readonly JsonObject[];
    return tools.map(({ name }) => name);
  };

  it('has what a token may call with some arguments, and nothing for strangers (XTN-04)', async () => {
    expect(await list()).toEqual(['hours']);
    expect(await list(none.token)).toEqual(['open', 'move', 'look', 'print', 'hours']);
    expect(await list(dan.token)).toEqual(['open', 'annotate', 'move', 'publish', 'look', 'print', 'hours']);
  });
});
