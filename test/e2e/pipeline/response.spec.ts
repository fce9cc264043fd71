import {
  ConflictException,
  Injectable,
  NotFoundException,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { McpModule, Tool, type McpContext } from 'nestjs-mcp';
import { McpTestingModule } from 'nestjs-mcp/testing';
import { EMPTY, of, tap } from 'rxjs';
import { ADAPTERS, type RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { initialize } from '../../support/clients/json-rpc.js';
import { until } from '../../support/until.js';
import { getResponse } from './response-shape.js';
import { callTool } from './tool-text.js';

const seen: unknown[] = [];

@Injectable()
class HeaderGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const response = getResponse(context);
    response.header('X-RateLimit-Remaining', '3').setHeader('X-Gone', 'soon').removeHeader('X-Gone');
    response.setHeader('Content-Type', 'text/plain').setHeader('Mcp-Session-Id', 'forged');
    response.setHeader('WWW-Authenticate', 'Basic').setHeader('Transfer-Encoding', 'chunked');
    seen.push(response.getHeader('content-type'), response.getHeader('x-gone'));
    return true;
  }
}

@Injectable()
class SendingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    getResponse(context).status(402).send({ message: 'Pay first' });
    return false;
  }
}

@Injectable()
class StatusInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    const response = getResponse(context);
    response.once('finish', () => seen.push('finish')).once('close', () => seen.push('close'));
    return next.handle().pipe(tap(() => seen.push(response.statusCode)));
  }
}

@Injectable()
class SendingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, _next: CallHandler) {
    getResponse(context).json({ cached: true });
    return EMPTY;
  }
}

@Injectable()
class LocalsInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext) {
    return of(getResponse(context).locals);
  }
}

@Injectable()
class NextInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    context.switchToHttp().getNext<(error: unknown) => void>()(new ConflictException('given to next'));
    return next.handle();
  }
}

@Injectable()
class AnsweredTools {
  @Tool()
  @UseGuards(HeaderGuard)
  headers() {
    return 'with headers';
  }

  @Tool()
  @UseGuards(HeaderGuard)
  streamed(_args: object, context: McpContext) {
    context.log('info', 'soon');
    return 'with headers';
  }

  @Tool()
  @UseGuards(SendingGuard)
  guarded() {
    return 'not reached';
  }

  @Tool()
  @UseInterceptors(StatusInterceptor)
  observed() {
    return 'observed';
  }

  @Tool()
  @UseInterceptors(StatusInterceptor)
  failing() {
    throw new NotFoundException();
  }

  @Tool()
  @UseInterceptors(StatusInterceptor)
  hanging() {
    seen.push('hanging');
    return new Promise(() => undefined);
  }

  @Tool()
  @UseInterceptors(SendingInterceptor)
  sent() {
    return 'not reached';
  }

  @Tool()
  @UseInterceptors(LocalsInterceptor)
  locals() {
    return 'not reached';
  }

  @Tool()
  @UseInterceptors(NextInterceptor)
  next() {
    return 'not told';
  }
}

const serverInfo = { name: 'desk', version: '1.0.0' };

describe.each(ADAPTERS)('What uses the HTTP response, on a handler, on %s', (adapter) => {
  let desk: RunningApp;

  beforeAll(async () => {
    desk = await bootServer({
      adapter,
      providers: [AnsweredTools],
      configure: (app) => {
        app.use((_request: unknown, response: { locals?: object }, next: () => void) => {
          Object.assign(response.locals ?? {}, { mark: 'of a middleware' });
          next();
        });
      },
    });
  });

  beforeEach(() => {
    seen.length = 0;
  });

  afterAll(() => desk.close());

  it.each(['headers', 'streamed'])(
    'sets headers of the answer, and none of the protocol’s: %s (NEST-04)',
    async (name) => {
      const session = await initialize(desk.url);
      await session.request('logging/setLevel', { level: 'info' });
      const { headers, result, notifications } = await session.request('tools/call', { name });
      expect(result).toMatchObject({ content: [{ text: 'with headers' }] });
      expect(notifications).toHaveLength(name === 'streamed' ? 1 : 0);
      expect(headers['x-ratelimit-remaining']).toBe('3');
      expect(headers['content-type']).toBe(name === 'streamed' ? 'text/event-stream' : 'application/json');
      expect([headers['x-gone'], headers['www-authenticate']]).toEqual([undefined, undefined]);
      expect(headers['mcp-session-id']).toBeUndefined();
      expect(seen).toEqual(['text/plain', undefined]);
    },
  );

  it('answers in a guard’s words that sends them itself (NEST-04)', async () => {
    expect(await callTool(desk.url, 'guarded')).toMatchObject({ isError: true, text: 'Pay first' });
  });

  it('answers with what an interceptor sends itself (NEST-04)', async () => {
    const { isError, text } = await callTool(desk.url, 'sent');
    expect([isError, JSON.parse(text)]).toEqual([false, { cached: true }]);
  });

  it('has what a middleware of Express left for the response (NEST-04)', async () => {
    const { text } = await callTool(desk.url, 'locals');
    expect(text).toBe(adapter === 'express' ? '{"mark":"of a middleware"}' : '{}');
  });

  it('fails with what is given to "next()" (NEST-04)', async () => {
    expect(await callTool(desk.url, 'next')).toMatchObject({ isError: true, text: 'given to next' });
  });

  it('hears of its end, whatever that is (NEST-04)', async () => {
    await callTool(desk.url, 'observed');
    expect(seen).toEqual([200, 'finish', 'close']);
    seen.length = 0;
    await callTool(desk.url, 'failing');
    expect(seen).toEqual(['finish', 'close']);
  });

  it('hears of a call that is cancelled (NEST-04)', async () => {
    const session = await initialize(desk.url);
    const call = session.start('tools/call', { name: 'hanging' });
    await until(() => seen.includes('hanging'), 'the call to hang');
    await session.notify('notifications/cancelled', { requestId: call.id });
    await until(() => seen.includes('close'), 'the close');
    expect(seen).toEqual(['hanging', 'close']);
    call.disconnect();
  });
});

it('What uses the HTTP response has it where no request came by HTTP (NEST-04)', async () => {
  const moduleRef = await Test.createTestingModule({
    imports: [McpModule.forRoot({ serverInfo })],
    providers: [AnsweredTools],
  }).compile();
  moduleRef.useLogger(false);
  await moduleRef.init();
  const client = await McpTestingModule.createClient(moduleRef);
  const call = async (name: string) => (await client.callTool({ name })).content[0];
  expect(await call('headers')).toMatchObject({ text: 'with headers' });
  expect(await call('guarded')).toMatchObject({ text: 'Pay first' });
  await client.close();
  await moduleRef.close();
});
