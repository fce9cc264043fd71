import { Module, type DynamicModule } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { redisCluster, type RedisClient } from 'nestjs-mcp/redis';
import { TerminalTools } from './terminal.tools.js';

export interface TerminalSettings {
  readonly client: RedisClient;
  /** The same in each process. */
  readonly secret: string;
}

/** The terminal: `secret` and `cluster` are all that makes its processes one server. */
@Module({})
export class TerminalModule {
  static with({ client, secret }: TerminalSettings): DynamicModule {
    return {
      module: TerminalModule,
      imports: [
        McpModule.forRoot({
          serverInfo: { name: 'ferry-terminal', version: '1.0.0' },
          secret,
          cluster: redisCluster({ client, prefix: 'ferry' }),
        }),
      ],
      providers: [TerminalTools],
    };
  }
}
