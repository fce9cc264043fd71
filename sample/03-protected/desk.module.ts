import { Module, type DynamicModule } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { TicketsModule } from './tickets/tickets.module.js';

export interface DeskFacts {
  /** The URL by which clients know the endpoint. */
  readonly url: string;
  /** Who gives tokens for it. */
  readonly issuer: string;
  /** How tokens are taken that are bound to a key of the client. @default they are not */
  readonly dpop?: DpopMode | undefined;
}

export type DpopMode = 'allowed' | 'required';

@Module({})
export class DeskModule {
  static at({ url, issuer, dpop }: DeskFacts): DynamicModule {
    return {
      module: DeskModule,
      imports: [
        McpModule.forRoot({
          serverInfo: { name: 'protected-desk', title: 'Protected support desk', version: '1.0.0' },
          publicUrl: url,
          auth: {
            authorizationServers: [issuer],
            requiredScopes: ['desk:read'],
            jwt: {},
            ...(dpop && { dpop }),
            resourceMetadata: { resource_name: 'Support desk' },
          },
        }),
        TicketsModule,
      ],
    };
  }
}
