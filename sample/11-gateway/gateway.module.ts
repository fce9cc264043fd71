import { fileURLToPath } from 'node:url';
import { Module, type DynamicModule } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { McpGatewayModule } from 'nestjs-mcp/gateway';

const NOTES = fileURLToPath(new URL('servers/notes.server.js', import.meta.url));

@Module({})
export class GatewayModule {
  /** One endpoint for a server over HTTP and a server over stdio. */
  static at(weatherUrl: string): DynamicModule {
    return {
      module: GatewayModule,
      imports: [
        McpModule.forRoot({ serverInfo: { name: 'gateway', version: '1.0.0' } }),
        McpGatewayModule.forRoot({
          servers: {
            weather: {
              url: weatherUrl,
              tools: { change: { forecast: { annotations: { readOnlyHint: true } } } },
            },
            notes: { command: process.execPath, args: [NOTES], pinned: true },
          },
        }),
      ],
    };
  }
}
