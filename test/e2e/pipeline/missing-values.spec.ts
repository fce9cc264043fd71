import {
  Controller,
  Get,
  Headers,
  Injectable,
  Ip,
  Param,
  Session,
  Sse,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { describe, expect, it } from '@jest/globals';
import { McpModule, Tool } from 'nestjs-mcp';
import { McpTestingModule } from 'nestjs-mcp/testing';
import { from } from 'rxjs';
import { z } from 'zod';
import { bootFailure } from '../../support/applications/boot-failure.js';
import { bootServer } from '../../support/applications/server.js';
import { RecordedLog } from '../../support/records/recorded-log.js';
import { callTool } from './tool-text.js';

const serverInfo = { name: 'desk', version: '1.0.0' };

@Injectable()
class RequestTools {
  @Tool()
  session(@Session() session: unknown, @Headers('x-none') none: unknown) {
    return [session, none].map((value) => value ?? null);
  }

  @Tool()
  address(@Ip() ip: unknown, @Headers('x-tenant') tenant: unknown) {
    return [typeof ip, tenant ?? null];
  }
}

describe('A value of the request that a handler does not get', () => {
  it('is warned of once, where a route could have it (NEST-08)', async () => {
    const log = new RecordedLog();
    const desk = await bootServer({ providers: [RequestTools], nest: { logger: log } });
    for (const name of ['session', 'session', 'address']) await callTool(desk.url, name);
    await desk.close();
    expect(log.find('warn')).toEqual([
      expect.stringContaining(
        '"RequestTools.session" receives undefined for @Session() on the parameter at index [0]: the HTTP request does not contain it',
      ),
    ]);
  });

  it('is warned of once, if the call did not use HTTP (NEST-08)', async () => {
    const log = new RecordedLog();
    const module = await Test.createTestingModule({
      imports: [McpModule.forRoot({ serverInfo })],
      providers: [RequestTools],
    }).compile();
    module.useLogger(log);
    await module.init();
    const client = await McpTestingModule.createClient(module);
    await client.callTool({ name: 'address', arguments: {} });
    await client.callTool({ name: 'address', arguments: {} });
    await client.close();
    await module.close();
    expect(log.find('warn').filter((line) => line.includes('RequestTools'))).toEqual([
      expect.stringContaining('@Ip() on the parameter at index [0]: the call did not use HTTP'),
      expect.stringContaining('receives undefined for @Headers() on the parameter at index [1]'),
    ]);
  });
});

const Id = z.object({ id: z.string() });

@Controller('teams')
class TeamController {
  @Get(':team')
  @Tool({ inputSchema: Id })
  find(@Param('team') team: string) {
    return { team };
  }

  @Get(':id/open')
  @Tool({ inputSchema: { type: 'object', additionalProperties: { type: 'string' } } })
  open(@Param('team') team: string) {
    return { team };
  }

  @Get(':id/default')
  @Tool({ inputSchema: Id })
  defaulted(@Param('id') id: string, @Param('page') page = '1') {
    return { id, page };
  }

  @Sse('events')
  @Tool()
  events() {
    return from([{ data: 'first' }, { data: 'last' }]);
  }

  @Tool({ inputSchema: Id })
  third(_args: object, _context: object, service: object) {
    return typeof service;
  }
}

it('A parameter that nothing fills is warned of at start-up, and so are events (NEST-08)', async () => {
  const log = new RecordedLog();
  const desk = await bootServer({ controllers: [TeamController], nest: { logger: log } });
  await desk.close();
  expect(log.find('warn')).toEqual([
    expect.stringContaining(
      '@Tool() on "TeamController.find" reads the argument "team" for the parameter at index [0], but "inputSchema" does not define it',
    ),
    expect.stringContaining('@Tool() on "TeamController.events" has @Sse(), but a call has one result'),
    expect.stringContaining('"TeamController.third" has no decorator on the parameter at index [2]'),
  ]);
});

/** As packages do that have Nest's `ExternalContextCreator` call their handlers. */
function Decorate(kind: number): ParameterDecorator {
  return (prototype, name, index) => {
    const { constructor } = prototype;
    const present: object = Reflect.getMetadata('RABBIT_ARGS_METADATA', constructor, String(name));
    const parameters = { ...present, [`${kind}:${index}`]: { index, data: undefined, pipes: [] } };
    Reflect.defineMetadata('RABBIT_ARGS_METADATA', parameters, constructor, String(name));
  };
}

describe('A parameter decorator with a metadata key of its own', () => {
  it('stops the start if the parameter is not the first, or not for what callers send (NEST-08)', async () => {
    @Injectable()
    class Listener {
      @Tool({ inputSchema: Id })
      handle(@Decorate(3) message: object, @Decorate(5) request: object) {
        return [message, request];
      }
    }
    const { message } = await bootFailure({
      imports: [McpModule.forRoot({ serverInfo })],
      providers: [Listener],
    });
    expect(message).toContain(
      'index [1] has a decorator from another package, which stores it as "RABBIT_ARGS',
    );
  });

  it('is served on the first parameter, for what callers send (NEST-08)', async () => {
    @Injectable()
    class Listener {
      @Tool({ inputSchema: Id })
      handle(@Decorate(3) message: object) {
        return message;
      }
    }
    const desk = await bootServer({ providers: [Listener] });
    const { text } = await callTool(desk.url, 'handle', { id: '7' });
    expect(JSON.parse(text)).toEqual({ id: '7' });
    await desk.close();
  });
});

/** Knows two types, and forgets the others. */
@Injectable()
class LastActiveInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    const type = context.getType<string>();
    if (type === 'http' || type === 'graphql') return next.handle();
    return undefined as never;
  }
}

@Injectable()
class LateInterceptor implements NestInterceptor {
  async intercept() {
    return Promise.resolve(undefined as never);
  }
}

it('An interceptor that returns nothing is named in the incident (NEST-08)', async () => {
  @Injectable()
  class Desk {
    @Tool()
    @UseInterceptors(LastActiveInterceptor)
    answer() {
      return 'answer';
    }

    @Tool()
    @UseInterceptors(LateInterceptor)
    later() {
      return 'answer';
    }
  }
  const log = new RecordedLog();
  const desk = await bootServer({ providers: [Desk], nest: { logger: log } });
  expect(await callTool(desk.url, 'answer')).toMatchObject({ isError: true });
  expect(await callTool(desk.url, 'later')).toMatchObject({ isError: true });
  const lines = log.find('error').join();
  expect(lines).toContain(
    'The interceptor "LastActiveInterceptor" returned undefined instead of an Observable',
  );
  expect(lines).toContain('The interceptor "LateInterceptor" returned undefined');
  await desk.close();
});
