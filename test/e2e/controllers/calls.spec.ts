import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  Body,
  Controller,
  Get,
  Inject,
  Param,
  ParseIntPipe,
  Post,
  Req,
  Scope,
  type MiddlewareConsumer,
} from '@nestjs/common';
import { NestFactory, REQUEST } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ApiOperation, ApiProperty, ApiResponse } from '@nestjs/swagger';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { McpCatalog, McpInMemoryConnector, McpModule } from 'nestjs-mcp';
import { McpControllersModule, ToolController } from 'nestjs-mcp/controllers';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { Gate } from '../../support/applications/gate.js';
import { bootServer } from '../../support/applications/server.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import { callTool, listedTool } from '../../support/clients/tools.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { within } from '../../support/until.js';
import '../../support/mcp-matchers.js';

@ToolController()
@Controller({ path: 'scoped', scope: Scope.REQUEST })
class ScopedController {
  constructor(@Inject(REQUEST) private readonly request: IncomingMessage) {}

  @Get()
  async tenant() {
    await new Promise(setImmediate);
    return this.request.headers['x-tenant'];
  }
}

class Cat {
  @ApiProperty()
  name!: string;
}

@ToolController({ outputSchemas: true })
@Controller('cats')
class CatsController {
  @Get('tom')
  @ApiOperation({ summary: 'Get Tom', description: 'Returns the cat that users of the house call Tom.' })
  @ApiResponse({ status: 200, type: Cat })
  tom() {
    return { name: 'Tom' };
  }

  @Get('all')
  @ApiResponse({ status: 200, type: Cat, isArray: true })
  all() {
    return [{ name: 'Tom' }];
  }

  @Get('nameless')
  @ApiResponse({ status: 200, type: Cat })
  nameless() {
    return { name: null };
  }
}

@ToolController({ routes: { waiting: true } })
@Controller()
class OddController {
  readonly gate = new Gate();
  /** Fulfilled once the connection of the waiting request is gone. */
  gone: Promise<unknown> | undefined;

  @Get('sized/:size')
  sized(@Param('size', ParseIntPipe) size: number) {
    return 'x'.repeat(size);
  }

  @Get('cached')
  cached() {
    return 'not from the cache';
  }

  @Post('waiting')
  async waiting(@Req() request: IncomingMessage & { readonly raw?: IncomingMessage }, @Body() _body: object) {
    this.gone = once((request.raw ?? request).socket, 'close');
    await this.gate.pass();
  }
}

class ShelfController {
  @Get(':id')
  read(@Param('id') id: string) {
    return `${this.constructor.name} ${id}`;
  }
}

@Controller('first')
class FirstShelfController extends ShelfController {}

@ToolController()
@Controller(':shelf')
class AnyShelfController extends ShelfController {}

/** Responds in the place of a route. */
class CacheModule {
  configure(consumer: MiddlewareConsumer): void {
    const respond = (_request: unknown, response: ServerResponse) => response.end('from the cache');
    consumer.apply(respond).forRoutes('cached');
  }
}

describe.each(ADAPTERS)('The call of a tool that is a route on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({
      adapter,
      imports: [McpControllersModule.forRoot({ maxResponseBytes: 1000 }), CacheModule],
      controllers: [
        ScopedController,
        CatsController,
        OddController,
        FirstShelfController,
        AnyShelfController,
      ],
    });
  });

  afterAll(() => desk.close());

  it('has a controller of its own, if the controller is request-scoped (ROUTE-02)', async () => {
    const tenants = ['acme', 'globex', 'initech'];
    const answers = await Promise.all(
      tenants.map((tenant) => {
        const headers = { 'x-tenant': tenant };
        return perRequest(desk.url, { headers }).request('tools/call', { name: 'tenant' });
      }),
    );
    expect(answers.map(({ result }) => result?.['content'])).toEqual(
      tenants.map((text) => [{ type: 'text', text }]),
    );
  });

  it('reaches no other controller that inherits the method (ROUTE-01)', async () => {
    expect(await callTool(desk.url, 'read', { shelf: 'first', id: 1 })).toBe('error: Cannot GET /first/1');
    expect(await callTool(desk.url, 'read', { shelf: 'second', id: 1 })).toBe('AnyShelfController 1');
  });

  it('fails if the response is larger than allowed (ROUTE-02)', async () => {
    expect(await callTool(desk.url, 'sized', { size: 1001 })).toMatch(/^error: Internal error/);
    expect(await callTool(desk.url, 'sized', { size: 1000 })).toBe('x'.repeat(1000));
  });

  it('fails if something responds before the guards of the route (ROUTE-02)', async () => {
    expect(await (await fetch(`${desk.origin}/cached`)).text()).toBe('from the cache');
    expect(await callTool(desk.url, 'cached', {})).toMatch(/^error: Internal error/);
  });

  it('closes the connection of the route if it is cancelled (ROUTE-02)', async () => {
    const controller = desk.app.get(OddController);
    const call = perRequest(desk.url).start('tools/call', {
      name: 'waiting',
      arguments: { body: {} },
    });
    await controller.gate.reached();
    call.disconnect();
    await expect(within(Promise.resolve(controller.gone), 'its end')).resolves.toBeDefined();
    controller.gate.open();
  });

  it('has the output schema that swagger declares (ROUTE-01)', async () => {
    expect((await listedTool(desk.url, 'tom'))['outputSchema']).toMatchObject({
      properties: { name: { type: 'string' } },
      required: ['name'],
    });
    expect((await listedTool(desk.url, 'all'))['outputSchema']).toMatchObject({
      type: 'array',
      items: { required: ['name'] },
    });
    const { result } = await perRequest(desk.url).request('tools/call', { name: 'tom' });
    expect(result?.['structuredContent']).toEqual({ name: 'Tom' });
    expect(await callTool(desk.url, 'nameless', {})).toMatch(/^error: /);
  });
});

describe('A tool that is a route', () => {
  it('is judged by the lint as its author describes it (ROUTE-01)', async () => {
    const desk = await bootServer({
      imports: [McpControllersModule.forRoot()],
      controllers: [CatsController, OddController],
    });
    const tom = { tools: [await listedTool(desk.url, 'tom')] };
    const sized = { tools: [await listedTool(desk.url, 'sized')] };
    expect(tom).toHaveNoLintFindings();
    expect(() => expect(sized).toHaveNoLintFindings()).toThrow('tool "sized" has no description');
    await desk.close();
  });
});

describe.each([
  ['Express', ExpressAdapter],
  ['Fastify', FastifyAdapter],
] as const)('An application that does not listen, on %s', (_name, Adapter) => {
  it('has tools of routes (ROUTE-02)', async () => {
    const module = {
      module: class AppModule {},
      imports: [
        McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } }),
        McpControllersModule.forRoot(),
      ],
      controllers: [CatsController],
    };
    const app = await NestFactory.create(module, new Adapter(), { logger: false, abortOnError: false });
    await app.init();
    const client = new Client({ name: 'test', version: '1.0.0' });
    await client.connect(await app.get(McpInMemoryConnector).connect());
    const { structuredContent } = await client.callTool({ name: 'tom', arguments: {} });
    expect(structuredContent).toEqual({ name: 'Tom' });
    await client.close();
    await app.close();
  });
});

describe('An application without an HTTP server, as for stdio', () => {
  it('starts without tools of routes, and warns (ROUTE-01)', async () => {
    const log = new RecordedLog();
    const module = {
      module: class AppModule {},
      imports: [
        McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } }),
        McpControllersModule.forRoot(),
      ],
      controllers: [CatsController],
    };
    const context = await NestFactory.createApplicationContext(module, { logger: log, abortOnError: false });
    expect(log.findWarnings('No route is a tool')).toHaveLength(1);
    expect(context.get(McpCatalog).tools.list()).toEqual([]);
    await context.close();
  });
});
