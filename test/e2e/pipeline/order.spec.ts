import {
  Injectable,
  UseGuards,
  UseInterceptors,
  UsePipes,
  type CallHandler,
  type ExecutionContext,
} from '@nestjs/common';
import { APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { tap } from 'rxjs';
import { McpExecutionContext, Tool, type McpContext } from 'nestjs-mcp';
import type { RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize } from '../../support/clients/json-rpc.js';

const steps: string[] = [];

const guard = (place: string) => ({
  canActivate(context: ExecutionContext) {
    const type = context.getType<string>();
    steps.push(type === 'mcp' ? `guard ${place}` : `guard ${place} (${type})`);
    return true;
  },
});
const interceptor = (place: string) => ({
  intercept(context: ExecutionContext, next: CallHandler) {
    if (context.getType<string>() !== 'mcp') return next.handle();
    steps.push(`before ${place}`);
    return next.handle().pipe(tap(() => steps.push(`after ${place}`)));
  },
});
const pipe = (place: string) => ({
  transform(value: unknown) {
    steps.push(`pipe ${place}`);
    return value;
  },
});
let seen: object | undefined;

@UseGuards(guard('class'))
@UseInterceptors(interceptor('class'))
@UsePipes(pipe('class'))
@Injectable()
class OrderedTools {
  @UseGuards(guard('method'), {
    canActivate(context: ExecutionContext) {
      const call = McpExecutionContext.create(context);
      const { method, http, revision } = call.getContext();
      seen = {
        type: context.getType<string>(),
        classRef: context.getClass(),
        handler: context.getHandler(),
        args: call.getArguments(),
        method,
        version: revision.version,
        userAgent: http?.headers['user-agent'],
      };
      return true;
    },
  })
  @UseInterceptors(interceptor('method'))
  @UsePipes(pipe('method'))
  @Tool({ inputSchema: { type: 'object', properties: { id: { type: 'number' } } } })
  ordered(_args: object, context: McpContext) {
    steps.push(`handler of ${context.method}`);
    return 'done';
  }
}

describe('The pipeline of a call', () => {
  let app: RunningApp;

  beforeAll(async () => {
    app = await bootServer({
      options: { globalEnhancers: true },
      providers: [
        OrderedTools,
        { provide: APP_GUARD, useValue: guard('global') },
        { provide: APP_INTERCEPTOR, useValue: interceptor('global') },
        { provide: APP_PIPE, useValue: pipe('global') },
      ],
    });
  });

  beforeEach(() => {
    steps.length = 0;
  });

  afterAll(() => app.close());

  const call = async (params: object) => {
    const session = await initialize(app.url, { headers: { 'user-agent': 'order-spec' } });
    steps.length = 0;
    return session.request('tools/call', { name: 'ordered', ...params });
  };

  it('has the order of Nest, and runs global guards at the controller once before (MOD-03)', async () => {
    const { result } = await call({ arguments: { id: 7 } });
    expect(result).toMatchObject({ content: [{ text: 'done' }] });
    expect(steps).toEqual([
      'guard global (http)',
      'guard global',
      'guard class',
      'guard method',
      'before global',
      'before class',
      'before method',
      'pipe global',
      'pipe class',
      'pipe method',
      'handler of tools/call',
      'after method',
      'after class',
      'after global',
    ]);
  });

  it('shows a guard the type "mcp", class, handler, arguments and request (MOD-03)', async () => {
    await call({ arguments: { id: 7 } });
    expect(seen).toEqual({
      type: 'mcp',
      classRef: OrderedTools,
      handler: OrderedTools.prototype.ordered,
      args: { id: 7 },
      method: 'tools/call',
      version: '2025-11-25',
      userAgent: 'order-spec',
    });
  });

  it('does not begin for arguments that the schema refuses (MOD-03) (MOD-07)', async () => {
    const { result } = await call({ arguments: { id: 'seven' } });
    expect(result).toMatchObject({ isError: true });
    expect(steps).toEqual(['guard global (http)']);
  });
});
