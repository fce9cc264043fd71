import {
  Body,
  Controller,
  createParamDecorator,
  DefaultValuePipe,
  Get,
  Headers,
  HostParam,
  Ip,
  Next,
  Param,
  ParseBoolPipe,
  ParseIntPipe,
  Patch,
  Query,
  RawBody,
  Req,
  Res,
  Session,
  UploadedFile,
  UploadedFiles,
  UseGuards,
  UseInterceptors,
  ValidationPipe,
  Injectable,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { IsInt, IsString } from 'class-validator';
import {
  Arguments,
  Complete,
  Context,
  McpModule,
  Prompt,
  ResourceTemplate,
  Tool,
  type McpContext,
} from 'nestjs-mcp';
import { McpTestingModule } from 'nestjs-mcp/testing';
import { map } from 'rxjs';
import { z } from 'zod';
import { bootFailure } from '../../support/applications/boot-failure.js';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize } from '../../support/clients/json-rpc.js';
import { callTool } from './tool-text.js';

interface Visitor {
  readonly user?: { readonly name: string };
  readonly headers: { readonly [name: string]: string | undefined };
}

/** As the pages of Nest write it. */
const CurrentUser = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Visitor>().user?.name,
);

const steps: string[] = [];

@Injectable()
class NamedGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    steps.push(`guard ${context.getType<string>()}`);
    return context.switchToHttp().getRequest<Visitor>().headers['x-name'] !== 'nobody';
  }
}

@Injectable()
class LoudInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    steps.push(`interceptor ${context.getType<string>()}`);
    return next.handle().pipe(map((value: object) => ({ ...value, loud: true })));
  }
}

class ChangesDto {
  @IsString()
  title!: string;

  @IsInt()
  size!: number;
}

@Controller('tickets')
@UseGuards(NamedGuard)
@UseInterceptors(LoudInterceptor)
class TicketController {
  @Get(':id')
  @Tool({
    inputSchema: z.object({ id: z.coerce.number(), q: z.string().optional(), page: z.int().optional() }),
  })
  find(
    @Param('id', ParseIntPipe) id: number,
    @Query('q', new DefaultValuePipe('all')) q: string,
    @Query('page', new DefaultValuePipe(1), ParseIntPipe) page: number,
    @Query('isOpen', new ParseBoolPipe({ optional: true })) isOpen: boolean | undefined,
    @Headers('X-Tenant') tenant: string,
    @Req() request: { readonly method: string },
    @CurrentUser() user: string,
  ) {
    return { id, q, page, isOpen, tenant, method: request.method, user };
  }

  @Patch(':id')
  @Tool({ inputSchema: z.object({ id: z.string(), title: z.string(), size: z.int() }) })
  change(
    @Param('id') id: string,
    @Body(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true })) changes: ChangesDto,
    @Body('title') title: string,
  ) {
    return { id, changes, title };
  }
}

const inputSchema = { type: 'object' } as const;

@Injectable()
class RequestTools {
  @Tool({ inputSchema })
  request(
    @Headers() headers: Visitor['headers'] | undefined,
    @Headers('x-none') none: unknown,
    @Ip() ip: unknown,
    @HostParam('account') account: unknown,
    @Session() session: unknown,
    @Req() request: Visitor | undefined,
    @Context() context: McpContext,
  ) {
    const seen = [headers?.['x-tenant'], none, ip, account, session, request?.headers['x-tenant']];
    return [...seen.map((value) => value ?? null), context.method];
  }

  @Tool({ inputSchema })
  wholes(
    @Arguments() all: object,
    @Query() query: object,
    @Param() params: object,
    @Body('own') own: unknown,
    @Body('constructor') inherited: unknown,
  ) {
    return [all, query, params, own ?? null, inherited ?? null];
  }

  @ResourceTemplate({ uriTemplate: 'desk://tickets/{id}' })
  ticket(@Param('id', ParseIntPipe) id: number, @Headers('x-tenant') tenant: string) {
    return { id, tenant };
  }

  @Prompt({ arguments: [{ name: 'topic' }] })
  ask(@Query('topic') topic: string, @Headers('x-tenant') tenant: string) {
    return `${topic} of ${tenant}`;
  }

  @Complete({ prompt: 'ask', argument: 'topic' })
  topics(@Body('value') value: string, @Headers('x-tenant') tenant: string) {
    return [`${value} of ${tenant}`];
  }
}

describe.each(ADAPTERS)('Parameters of routes on handlers, on %s', (adapter) => {
  let desk: RunningApp;
  const headers = { 'x-tenant': 'blue', 'x-name': 'ada' };

  beforeAll(async () => {
    desk = await bootServer({
      adapter,
      controllers: [TicketController],
      providers: [RequestTools],
      configure: (app) => {
        app.use((request: Record<string, unknown>, _response: unknown, next: () => void) => {
          request['user'] = { name: 'ada' };
          next();
        });
        if (adapter === 'fastify') {
          app
            .getHttpAdapter()
            .getInstance()
            .addHook('preHandler', async (request: { user?: unknown }) => {
              request.user = { name: 'ada' };
            });
        }
      },
    });
  });

  beforeEach(() => {
    steps.length = 0;
  });

  afterAll(() => desk.close());

  it('let one method serve a route and a tool (NEST-01)', async () => {
    const found = { q: 'late', page: 2, loud: true, tenant: 'blue', user: 'ada', id: 7 };
    const routed = await fetch(`${desk.origin}/tickets/7?q=late&page=2`, { headers });
    expect(await routed.json()).toEqual({ ...found, method: 'GET' });
    expect(steps).toEqual(['guard http', 'interceptor http']);
    steps.length = 0;
    const { text } = await callTool(desk.url, 'find', { id: '7', q: 'late', page: 2 }, headers);
    expect(JSON.parse(text)).toEqual({ ...found, method: 'POST' });
    expect(steps).toEqual(['guard mcp', 'interceptor mcp']);
  });

  it('run their pipes on what is missing too (NEST-01)', async () => {
    const { text } = await callTool(desk.url, 'find', { id: 7 }, headers);
    expect(JSON.parse(text)).toMatchObject({ q: 'all', page: 1 });
  });

  it('have the guards of the route refuse the tool (NEST-01)', async () => {
    const refused = await fetch(`${desk.origin}/tickets/7`, { headers: { 'x-name': 'nobody' } });
    expect(refused.status).toBe(403);
    const { isError, text } = await callTool(desk.url, 'find', { id: 7 }, { 'x-name': 'nobody' });
    expect([isError, text]).toEqual([true, 'Forbidden resource']);
  });

  it('give a body without what the path names, so that it can be checked as on the route (NEST-01)', async () => {
    const changed = { id: '7', changes: { title: 'Lamp', size: 2 }, title: 'Lamp', loud: true };
    const routed = await fetch(`${desk.origin}/tickets/7`, {
      method: 'PATCH',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ title: 'Lamp', size: 2 }),
    });
    expect(await routed.json()).toEqual(changed);
    const { text } = await callTool(desk.url, 'change', { id: '7', title: 'Lamp', size: 2 }, headers);
    expect(JSON.parse(text)).toEqual(changed);
  });

  it('read the HTTP request beside the context of the call (NEST-01)', async () => {
    const { text } = await callTool(desk.url, 'request', {}, headers);
    expect(JSON.parse(text)).toEqual(['blue', null, '127.0.0.1', null, null, 'blue', 'tools/call']);
  });

  it('read own arguments alone, and leave all of them to "@Arguments()" (NEST-01)', async () => {
    const { text } = await callTool(desk.url, 'wholes', { own: 1, other: 2 }, headers);
    expect(JSON.parse(text)).toEqual([{ own: 1, other: 2 }, { other: 2 }, { other: 2 }, 1, null]);
  });

  it('work on resources, prompts and completions (NEST-01)', async () => {
    const session = await initialize(desk.url, { headers });
    const { result: read } = await session.request('resources/read', { uri: 'desk://tickets/7' });
    expect(read).toMatchObject({ contents: [{ text: JSON.stringify({ id: 7, tenant: 'blue' }) }] });
    const { result: prompt } = await session.request('prompts/get', {
      name: 'ask',
      arguments: { topic: 'lamps' },
    });
    expect(JSON.stringify(prompt)).toContain('lamps of blue');
    const { result: completed } = await session.request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'ask' },
      argument: { name: 'topic', value: 'la' },
    });
    expect(completed).toMatchObject({ completion: { values: ['la of blue'] } });
  });
});

it('Parameters of the HTTP request are undefined where there was none (NEST-01)', async () => {
  const moduleRef = await Test.createTestingModule({
    imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
    providers: [RequestTools],
  }).compile();
  moduleRef.useLogger(false);
  await moduleRef.init();
  const client = await McpTestingModule.createClient(moduleRef);
  const { structuredContent } = await client.callTool({ name: 'request', arguments: {} });
  expect(structuredContent ?? []).toEqual([null, null, null, null, null, null, 'tools/call']);
  await client.close();
  await moduleRef.close();
});

describe('A parameter that only a route can have', () => {
  it.each([
    ['@Res()', Res()],
    ['@Res()', Res({ passthrough: true })],
    ['@Next()', Next()],
    ['@UploadedFile()', UploadedFile('avatar')],
    ['@UploadedFiles()', UploadedFiles()],
    ['@RawBody()', RawBody()],
  ])('stops the start, with its place: %s (NEST-01)', async (decorator, decorate) => {
    @Injectable()
    class Desk {
      @Tool()
      answer(_args: unknown, _given: unknown) {
        return 'answer';
      }
    }
    decorate(Desk.prototype, 'answer', 1);
    const { message } = await bootFailure({
      imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
      providers: [Desk],
    });
    expect(message).toContain(`@Tool() on "Desk.answer": The parameter at index [1] has ${decorator}, which`);
  });
});
