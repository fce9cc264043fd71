import {
  Catch,
  HttpException,
  Injectable,
  NotFoundException,
  UseFilters,
  type ArgumentsHost,
  type ExceptionFilter,
} from '@nestjs/common';
import { BaseExceptionFilter, HttpAdapterHost } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { McpModule, Prompt, Tool, ToolError } from 'nestjs-mcp';
import { McpTestingModule } from 'nestjs-mcp/testing';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize } from '../../support/clients/json-rpc.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { getResponse } from './response-shape.js';
import { callTool } from './tool-text.js';

/** As Nest's page on filters has it, for Express. */
@Catch(HttpException)
class ExpressFilter implements ExceptionFilter<HttpException> {
  catch(exception: HttpException, host: ArgumentsHost) {
    const context = host.switchToHttp();
    const request = context.getRequest<{ readonly url: string }>();
    const statusCode = exception.getStatus();
    getResponse(host).status(statusCode).json({ statusCode, path: request.url, message: 'told by Express' });
  }
}

/** The same for Fastify. */
@Catch(HttpException)
class FastifyFilter implements ExceptionFilter<HttpException> {
  catch(exception: HttpException, host: ArgumentsHost) {
    return getResponse(host)
      .code(exception.getStatus())
      .send({ error: { message: 'told by Fastify' } });
  }
}

/** As Nest's page has the one that catches everything. */
@Catch()
class EverythingFilter implements ExceptionFilter {
  constructor(private readonly adapterHost: HttpAdapterHost) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const { httpAdapter } = this.adapterHost;
    const context = host.switchToHttp();
    const statusCode = exception instanceof HttpException ? exception.getStatus() : 500;
    const path: unknown = httpAdapter.getRequestUrl(context.getRequest());
    httpAdapter.reply(context.getResponse(), { statusCode, path }, statusCode);
  }
}

@Catch()
class ExtendingFilter extends BaseExceptionFilter {}

@Catch()
class CrashingFilter implements ExceptionFilter {
  catch(_exception: unknown, host: ArgumentsHost) {
    host.switchToHttp().getResponse<{ sendFile(): void }>().sendFile();
  }
}

function fail(): never {
  throw new NotFoundException('Ticket 7 is gone');
}

@Injectable()
class FilteredTools {
  @Tool()
  @UseFilters(ExpressFilter)
  express() {
    return fail();
  }

  @Tool()
  @UseFilters(FastifyFilter)
  fastify() {
    return fail();
  }

  @Tool()
  @UseFilters(EverythingFilter)
  everything() {
    return fail();
  }

  @Tool()
  @UseFilters(EverythingFilter)
  surprising() {
    throw new Error('hunter2');
  }

  @Tool()
  @UseFilters(EverythingFilter)
  told() {
    throw new ToolError('Ask for an open ticket');
  }

  @Tool()
  @UseFilters(ExtendingFilter)
  extended() {
    return fail();
  }

  @Tool()
  @UseFilters(CrashingFilter)
  crashed() {
    return fail();
  }

  @Tool()
  @UseFilters({ catch: (_: unknown, host: ArgumentsHost) => getResponse(host).redirect('/login', 302) })
  redirected() {
    return fail();
  }

  @Tool()
  @UseFilters({
    catch: (_: unknown, host: ArgumentsHost) => {
      getResponse(host).raw.statusCode = 429;
      getResponse(host)
        .raw.setHeader('Retry-After', '30')
        .end(JSON.stringify({ detail: 'Too many' }));
    },
  })
  raw() {
    return fail();
  }

  @Prompt()
  @UseFilters(ExpressFilter)
  prompt() {
    return fail();
  }
}

describe.each(ADAPTERS)('A filter that answers by the HTTP response, on a handler, on %s', (adapter) => {
  let desk: RunningApp;
  const log = new RecordedLog();

  beforeAll(async () => {
    desk = await bootServer({ adapter, providers: [FilteredTools], nest: { logger: log } });
  });

  beforeEach(() => log.clear());

  afterAll(() => desk.close());

  it.each([
    ['express', 'told by Express'],
    ['fastify', 'told by Fastify'],
    ['everything', 'Ticket 7 is gone'],
    ['extended', 'Ticket 7 is gone'],
    ['redirected', 'Ticket 7 is gone'],
  ])('gives the failure of the call: %s (NEST-04)', async (name, text) => {
    expect(await callTool(desk.url, name)).toMatchObject({ isError: true, text });
  });

  it('may write to Node’s response, whose headers are those of the answer (NEST-04)', async () => {
    const { isError, text, headers } = await callTool(desk.url, 'raw');
    expect([isError, text, headers['retry-after']]).toEqual([true, 'Too many', '30']);
  });

  it('gives a prompt its failure by its status (NEST-04)', async () => {
    const { error } = await (await initialize(desk.url)).request('prompts/get', { name: 'prompt' });
    expect(error).toMatchObject({ code: -32602, message: 'told by Express' });
  });

  it('does not keep from callers what is meant for them, if it does not know it (NEST-04)', async () => {
    expect(await callTool(desk.url, 'told')).toMatchObject({ isError: true, text: 'Ask for an open ticket' });
  });

  it('tells nobody more than the filter does, and the log everything (NEST-04)', async () => {
    expect(await callTool(desk.url, 'surprising')).toMatchObject({ text: 'Internal server error' });
    const [line] = log.find('error', 'A call failed before its exception filter: hunter2');
    expect(line).toMatch(/hunter2[\s\S]*at FilteredTools\.surprising/);
  });

  it('leaves the first exception in the log where the filter fails itself (NEST-04)', async () => {
    const { text } = await callTool(desk.url, 'crashed');
    expect(text).toMatch(/^Internal error \(incident [0-9a-f]{12}\)$/);
    const [line] = log.find('error', 'A call failed before its exception filter: Ticket 7');
    expect(line).toMatch(/Ticket 7 is gone[\s\S]*at fail/);
    expect(log.text).toMatch(/Incident [0-9a-f]{12}: .*sendFile.* target="crashed"\]/);
  });
});

it('A filter that answers by the HTTP response does so where no request came by HTTP (NEST-04)', async () => {
  const moduleRef = await Test.createTestingModule({
    imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })],
    providers: [FilteredTools],
  }).compile();
  moduleRef.useLogger(false);
  await moduleRef.init();
  const client = await McpTestingModule.createClient(moduleRef);
  const { content } = await client.callTool({ name: 'fastify' });
  expect(content[0]).toMatchObject({ text: 'told by Fastify' });
  await client.close();
  await moduleRef.close();
});
