import 'reflect-metadata';
import { setTimeout as delay } from 'node:timers/promises';
import {
  Injectable,
  Logger,
  Module,
  type BeforeApplicationShutdown,
  type OnApplicationShutdown,
} from '@nestjs/common';
import {
  Claims,
  Context,
  InjectNotifier,
  McpModule,
  McpStdio,
  Public,
  RequireScope,
  Resource,
  Tool,
  type McpContext,
  type McpNotifier,
} from 'nestjs-mcp';
import { z } from 'zod';

const { TOKEN, REQUIRED, GRACE_MS, LINGER, FAIL } = process.env;

@Injectable()
class StdioTools implements BeforeApplicationShutdown, OnApplicationShutdown {
  readonly #logger = new Logger('Desk');
  #tellHeard: () => void = () => undefined;

  constructor(@InjectNotifier() private readonly notifier: McpNotifier) {
    // A connection that an application forgets to close.
    if (LINGER !== undefined) setInterval(() => undefined, 1000);
    if (FAIL !== undefined) throw new Error('The desk is on fire');
  }

  /** Writes to standard output in every way but the one that nobody can prevent. */
  @Tool({ inputSchema: z.object({ name: z.string().optional() }) })
  greet({ name = 'stranger' }: { name?: string | undefined }): string {
    console.log('a careless line');
    console.table([{ a: 1 }]);
    process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{}}\n');
    this.#logger.log('a line of the log');
    return `hello, ${name}`;
  }

  @Tool({ inputSchema: z.object({ item: z.string() }) })
  async remember({ item }: { item: string }, { state }: McpContext): Promise<string> {
    const items = await state.update<string[]>('items', (before = []) => [...before, item]);
    return (items ?? []).join(', ');
  }

  /** Answers when it is told to: clients drop progress that they read together with the answer. */
  @Tool()
  async count(_arguments: object, context: McpContext): Promise<string> {
    const heard = new Promise<void>((resolve) => (this.#tellHeard = resolve));
    for (let step = 1; step <= 3; step++) context.progress(step, 3, `step ${step}`);
    await heard;
    context.log('info', 'counted');
    return 'three';
  }

  /** Lets `count` answer. */
  @Tool()
  hear(): string {
    this.#tellHeard();
    return 'heard';
  }

  @Tool()
  async ask(_arguments: object, context: McpContext): Promise<string> {
    this.#logger.log('asking');
    const answer = await context.elicit({
      message: 'Who are you?',
      schema: z.object({ name: z.string() }),
    });
    return answer.action === 'accept' ? `you are ${answer.content.name}` : answer.action;
  }

  @Tool()
  async slow(): Promise<string> {
    this.#logger.log('slow');
    await delay(300);
    return 'done';
  }

  @Tool()
  async hang(_arguments: object, context: McpContext): Promise<string> {
    this.#logger.log('hanging');
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
    this.#logger.log('let go');
    return 'never';
  }

  @Tool({ inputSchema: z.object({ size: z.number() }) })
  fill({ size }: { size: number }, context: McpContext): string {
    context.progress(1);
    return 'x'.repeat(size);
  }

  @Tool()
  change(): string {
    this.notifier.resourceUpdated('desk://state');
    return 'changed';
  }

  @Tool()
  @RequireScope('desk:write')
  close(): string {
    return 'closed';
  }

  @Tool()
  needs(_arguments: object, { auth }: McpContext): string {
    auth.requireScope('desk:admin');
    return 'admitted';
  }

  @Tool()
  @Public()
  whoami(@Claims('sub') sub: string | undefined, @Context() context: McpContext): string {
    return JSON.stringify({
      sub,
      scopes: context.auth.claims?.scopes,
      read: context.auth.hasScope('desk:read'),
    });
  }

  @Resource({ uri: 'desk://state' })
  state(): string {
    return 'open';
  }

  beforeApplicationShutdown(signal?: string): void {
    console.log(`before shutdown ${signal ?? 'without a signal'}`);
  }

  onApplicationShutdown(signal?: string): void {
    console.log(`shut down ${signal ?? 'without a signal'}`);
  }
}

@Module({
  imports: [
    McpModule.forRoot({
      serverInfo: { name: 'desk', version: '1.0.0' },
      auth: {
        bearer: {
          token: 'a-fixed-token-of-the-desk',
          subject: 'ada',
          scopes: ['desk:read', 'desk:write'],
        },
        requiredScopes: REQUIRED?.split(' ') ?? [],
      },
    }),
  ],
  providers: [StdioTools],
})
class DeskModule {}

await McpStdio.run(DeskModule, {
  token: TOKEN,
  ...(GRACE_MS !== undefined && { graceMs: Number(GRACE_MS) }),
});
