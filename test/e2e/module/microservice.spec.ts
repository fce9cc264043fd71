import { describe, expect, it } from '@jest/globals';
import {
  ClassSerializerInterceptor,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type INestApplication,
  type NestInterceptor,
} from '@nestjs/common';
import { NestFactory, Reflector } from '@nestjs/core';
import { Transport, type MicroserviceOptions } from '@nestjs/microservices';
import { Exclude } from 'class-transformer';
import { Tool } from 'nestjs-mcp';
import { McpTestingModule } from 'nestjs-mcp/testing';
import { map } from 'rxjs';
import { bootServer } from '../../support/applications/server.js';
import { buildClockWorker } from '../../support/applications/clock-worker.js';
import '../../support/mcp-matchers.js';

class Account {
  readonly id = 7;

  @Exclude()
  readonly password = 'hidden';
}

@Injectable()
class AccountTools {
  @Tool()
  account() {
    return new Account();
  }
}

const seen: string[] = [];

class AuditInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    seen.push(context.getType());
    return next.handle();
  }
}

class TransformInterceptor implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(map((data: unknown) => ({ data })));
  }
}

describe.each([true, false])('A hybrid application, "inheritAppConfig: %s"', (inheritAppConfig) => {
  const configure = async (app: INestApplication): Promise<void> => {
    app.connectMicroservice<MicroserviceOptions>(
      { transport: Transport.TCP, options: { host: '127.0.0.1', port: 0 } },
      { inheritAppConfig },
    );
    app.useGlobalInterceptors(
      new AuditInterceptor(),
      new TransformInterceptor(),
      new ClassSerializerInterceptor(app.get(Reflector)),
    );
    await app.startAllMicroservices();
  };

  it('serializes results, and runs the global enhancers that are chosen (APP-01) (APP-02)', async () => {
    const desk = await bootServer({
      options: { globalEnhancers: { interceptors: { only: [AuditInterceptor] } } },
      providers: [AccountTools],
      configure,
    });
    seen.length = 0;
    const client = await McpTestingModule.createClient(desk.app);
    expect(await client.callTool({ name: 'account' })).toHaveText('{"id":7}');
    expect(seen).toEqual(['mcp']);
    await client.close();
    await desk.close();
  });
});

describe('A microservice', () => {
  // Nest calls the hooks of a microservice twice if the application itself calls "init()".
  it('starts once with the module, however often its hooks are called (MOD-01)', async () => {
    const app = await NestFactory.createMicroservice<MicroserviceOptions>(buildClockWorker(), {
      transport: Transport.TCP,
      options: { host: '127.0.0.1', port: 0 },
      logger: false,
      abortOnError: false,
    });
    await app.init();
    const client = await McpTestingModule.createClient(app);
    expect(await client.callTool({ name: 'tellTime' })).toHaveText('12:00');
    await client.close();
    await app.close();
  });
});
