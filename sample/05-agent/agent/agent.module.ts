import { Module, type DynamicModule } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { McpClientModule } from 'nestjs-mcp/client-module';
import { AgentTools } from './agent.tools.js';
import { RoomChooser } from './room-chooser.js';

/** Where everything is. */
export interface AgentAddresses {
  /** The URL by which clients know this application. */
  readonly url: string;
  /** Who gives tokens for it, and exchanges them. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The two servers that it uses. */
  readonly desk: string;
  readonly boathouse: string;
}

@Module({})
export class AgentModule {
  static at({ url, issuer, clientId, clientSecret, desk, boathouse }: AgentAddresses): DynamicModule {
    return {
      module: AgentModule,
      imports: [
        McpModule.forRoot({
          serverInfo: { name: 'agent', title: 'Assistant of the house', version: '1.0.0' },
          publicUrl: url,
          auth: {
            authorizationServers: [issuer],
            requiredScopes: ['desk:read'],
            jwt: {},
            exchange: { clientId, clientSecret },
          },
        }),
        McpClientModule.forRoot([
          { name: 'desk', url: desk, exchange: { scopes: ['desk:read'] } },
          { name: 'boathouse', url: boathouse },
        ]),
      ],
      providers: [AgentTools, RoomChooser],
    };
  }
}
