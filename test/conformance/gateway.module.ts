import { Module, type DynamicModule } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { McpGatewayModule } from 'nestjs-mcp/gateway';

/** A gateway in front of the fixture, with the same names. */
@Module({})
export class GatewayModule {
  static before(url: string): DynamicModule {
    return {
      module: GatewayModule,
      imports: [
        McpModule.forRoot({ serverInfo: { name: 'nestjs-mcp-gateway', version: '1.0.0' } }),
        McpGatewayModule.forRoot({
          servers: {
            // Of one client at a time, whose roots are those of the connection.
            fixture: { url, prefix: '', inputRequests: ['elicitation', 'sampling', 'roots'] },
          },
        }),
      ],
    };
  }
}
