/**
 * A server that callers crowd. From the environment: `AUTH`, callers with the tokens `TOKENS` as JSON; `INTROSPECTION`, where opaque
 * tokens are asked about; `STORE=silent`, a store of tasks that answers nothing; `PROXY`, the addresses of callers are those that
 * a proxy gives; `MOST`, how many sessions and tasks it keeps, a tenth of them of one caller. Whatever no such thing needs has its default. It prints its URL.
 */
import 'reflect-metadata';
import { Controller, Get, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import {
  EventSource,
  McpModule,
  McpNotifier,
  Public,
  Tool,
  type McpOptions,
  type TaskStore,
} from 'nestjs-mcp';
import { Subject, type Observable } from 'rxjs';

const { TOKENS, INTROSPECTION, STORE, PROXY, MOST } = process.env;

/** Answers nothing of clients; what the server itself looks for at its start is not there. */
const silentStore: TaskStore = {
  create: () => new Promise(() => undefined),
  find: () => new Promise(() => undefined),
  replace: () => new Promise(() => undefined),
  list: () => new Promise(() => undefined),
  listOpen: () => Promise.resolve([]),
  removeExpired: () => Promise.resolve(),
};

@Injectable()
class CrowdTools {
  readonly #alerts = new Subject<object>();

  @Tool()
  @Public()
  greet(): string {
    return 'hello';
  }

  @Tool({ task: 'optional' })
  work(): string {
    return 'done';
  }

  /** Fires one alert. */
  @Tool()
  fire(): string {
    this.#alerts.next({ text: 'fire' });
    return 'fired';
  }

  @EventSource({ name: 'alert.fired' })
  alerts(): Observable<object> {
    return this.#alerts;
  }
}

@Controller('sessions')
class SessionsController {
  constructor(private readonly notifier: McpNotifier) {}

  @Get()
  count(): number {
    return this.notifier.sessions.length;
  }
}

const few = MOST === undefined ? undefined : limitAll(Number(MOST));

const options: McpOptions = {
  serverInfo: { name: 'crowded', version: '1.0.0' },
  tasks: { ...(STORE === 'silent' && { store: silentStore }), ...few?.tasks },
  ...(few && { sessions: few.sessions }),
  // Receivers on loopback, which speak no TLS, need these two.
  events: { webhooks: { allowHttp: true, allowPrivateAddresses: true } },
  ...((TOKENS !== undefined || INTROSPECTION !== undefined) && {
    auth: {
      ...(TOKENS !== undefined && { bearer: JSON.parse(TOKENS) as [] }),
      ...(INTROSPECTION !== undefined && {
        resourceUri: 'https://desk.example.com/mcp',
        authorizationServers: [new URL(INTROSPECTION).origin],
        // Nothing of a test may depend on how fast the machine is.
        introspection: {
          endpoint: INTROSPECTION,
          clientId: 'desk',
          clientSecret: 'secret',
          timeoutMs: 60_000,
        },
      }),
    },
  }),
};

function limitAll(most: number) {
  const each = most / 10;
  return {
    sessions: { maxSessions: most, maxSessionsPerCaller: each, maxSessionsPerAddress: each },
    tasks: { maxTasks: most, maxTasksPerCaller: each },
  };
}

@Module({
  imports: [McpModule.forRoot(options)],
  providers: [CrowdTools],
  controllers: [SessionsController],
})
class CrowdedModule {}

const app = await NestFactory.create<NestExpressApplication>(CrowdedModule, { logger: false });
if (PROXY !== undefined) app.set('trust proxy', true);
await app.listen(0, '127.0.0.1');
process.stdout.write(`ready ${await app.getUrl()}/mcp\n`);
