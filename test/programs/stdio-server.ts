import 'reflect-metadata';
import { Injectable, Logger, Module } from '@nestjs/common';
import { McpModule, McpStdio, RequireScope, Tool, type McpContext } from 'nestjs-mcp';

@Injectable()
class DeskTools {
  readonly #logger = new Logger('Desk');

  @Tool()
  greet() {
    console.log('a careless line');
    this.#logger.log('a line of the log');
    return 'hello';
  }

  @Tool()
  @RequireScope('desk:write')
  close() {
    return 'closed';
  }

  @Tool()
  async slow(_arguments: object, context: McpContext) {
    context.progress(1, 2, 'half');
    await new Promise((resolve) => context.signal.addEventListener('abort', resolve));
    return 'done';
  }
}

@Module({
  imports: [
    McpModule.forRoot({
      serverInfo: { name: 'desk', version: '1.0.0' },
      auth: { bearer: 'a-fixed-token-of-the-desk' },
    }),
  ],
  providers: [DeskTools],
})
class DeskModule {}

await McpStdio.run(DeskModule);
