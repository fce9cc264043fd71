import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Catch,
  Injectable,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
  type PipeTransform,
} from '@nestjs/common';
import { map } from 'rxjs';
import { McpExecutionContext, RequireScope, Tool, ToolError, type McpContext } from 'nestjs-mcp';
import { ADAPTERS, type RunningApp } from '../../../support/applications/boot.js';
import { bootServer } from '../../../support/applications/server.js';
import { CALLERS, authorize } from '../../../support/applications/protected-desk.js';
import {
  coreClient,
  publishedClient,
  serviceClient,
  textOfTask,
  type TaskClient,
} from '../../../support/clients/task-wires.js';

const readContext = (context: ExecutionContext | ArgumentsHost): McpContext =>
  McpExecutionContext.create(context).getContext();

@Injectable()
class OnTimeGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return readContext(context).http?.headers['x-late'] === undefined;
  }
}

@Injectable()
class TaskInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    const { task } = readContext(context);
    return next.handle().pipe(map((value) => `${task === undefined ? 'call' : 'task'} of ${String(value)}`));
  }
}

@Injectable()
class MarkPipe implements PipeTransform {
  transform(value: unknown) {
    return typeof value === 'object' ? { ...value, mark: 'piped' } : value;
  }
}

class Jam extends Error {}

@Catch(Jam)
class JamFilter implements ExceptionFilter<Jam> {
  catch(jam: Jam, host: ArgumentsHost): never {
    throw new ToolError(`${jam.message} in the task of ${readContext(host).auth.claims?.sub}`);
  }
}

@Injectable()
@UseGuards(OnTimeGuard)
class PressTools {
  @UseInterceptors(TaskInterceptor)
  @UsePipes(MarkPipe)
  @Tool({ task: 'optional' })
  print(args: { mark?: string }, { auth, method }: McpContext): string {
    return [auth.claims?.sub, args.mark, method, [...(auth.claims?.scopes ?? [])].join('+')].join(' ');
  }

  @UseFilters(JamFilter)
  @Tool({ task: 'optional' })
  jam(): never {
    throw new Jam('Paper jam');
  }

  @RequireScope('desk:write')
  @Tool({ task: 'optional' })
  publish(): string {
    return 'published';
  }
}

describe.each(ADAPTERS)('The pipeline of a tool that runs as a task, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({
      adapter,
      options: { tasks: true, auth: { bearer: Object.values(CALLERS) } },
      providers: [PressTools],
    });
  });

  afterAll(() => desk.close());

  type Connect = (caller: keyof typeof CALLERS, extra?: object) => TaskClient | Promise<TaskClient>;
  const WIRES: readonly (readonly [string, Connect])[] = [
    ['published', (caller, extra) => publishedClient(desk.url, { headers: headersOf(caller, extra) })],
    ['core', (caller, extra) => coreClient(desk.url, { headers: headersOf(caller, extra) })],
    ['service', (caller, extra) => serviceClient(desk.url, { headers: headersOf(caller, extra) })],
  ];
  const headersOf = (caller: keyof typeof CALLERS, extra = {}) => ({
    ...authorize(CALLERS[caller].token),
    ...extra,
  });

  async function run(client: TaskClient, name: string): Promise<string> {
    const { taskId } = await client.create(name);
    const task = await client.reach(taskId);
    return 'result' in task
      ? textOfTask(task)
      : textOfTask((await client.send('tasks/result', { taskId })).result ?? {});
  }

  describe.each(WIRES)('on the %s wire', (_wire, connect) => {
    it('runs its pipes, interceptors and handler with the caller’s claims (TASK-01) (MOD-03)', async () => {
      expect(await run(await connect('ada'), 'print')).toBe(
        'task of ada piped tools/call desk:read+desk:write',
      );
    });

    it('runs its filters (TASK-01) (MOD-03)', async () => {
      expect(await run(await connect('bob'), 'jam')).toBe('Paper jam in the task of bob');
    });

    it('runs its guards: what they refuse fails as any call does (TASK-01) (MOD-03)', async () => {
      const client = await connect('ada', { 'x-late': '1' });
      const text = await run(client, 'print');
      expect(text).toMatch(/forbidden/i);
    });

    it('begins no task for a caller without the scope that the tool requires (TASK-01) (STEP-01)', async () => {
      const client = await connect('bob');
      const { result } = await client.call('publish');
      expect(result).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('insufficient_scope') }],
      });
      expect(result).not.toHaveProperty('taskId');
      expect(await run(await connect('ada'), 'publish')).toBe('published');
    });
  });
});
