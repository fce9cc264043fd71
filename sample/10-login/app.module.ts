import { Injectable, Module, type DynamicModule } from '@nestjs/common';
import { Claims, McpModule, RequireScope, Tool } from 'nestjs-mcp';
import { McpAuthorizationServerModule, type UpstreamOptions } from 'nestjs-mcp/authorization-server';

@Injectable()
export class DeskTools {
  @Tool({ description: 'Lists the open tickets of the caller' })
  list(@Claims('sub') user: string) {
    return `${user} has one open ticket: the printer is jammed`;
  }

  @Tool({ description: 'Closes the ticket of the caller' })
  @RequireScope('desk:write')
  close(@Claims('sub') user: string) {
    return `The ticket of ${user} is closed`;
  }
}

/** Where the application is reached, and where people log in. */
export interface DeskLocation {
  /** The public origin of the application. */
  readonly origin: string;
  /** The identity provider, at which the application is a registered client. */
  readonly upstream: UpstreamOptions;
  /** Seals what the authorization server stores, and is the source of its signing keys. */
  readonly secret: string;
}

/** A desk with its own authorization server, in front of an identity provider at which MCP clients cannot register. */
@Module({ providers: [DeskTools] })
export class AppModule {
  static at({ origin, upstream, secret }: DeskLocation): DynamicModule {
    const [issuer, resource] = [`${origin}/oauth`, `${origin}/mcp`];
    return {
      module: AppModule,
      imports: [
        McpAuthorizationServerModule.forRoot({
          issuer,
          resources: {
            [resource]: { 'desk:read': 'Read your tickets', 'desk:write': 'Close your tickets' },
          },
          upstream,
          // Everybody who can log in at the provider; compare `claims` to admit a few
          grantScopes: () => ['desk:read', 'desk:write'],
          secret,
        }),
        McpModule.forRoot({
          serverInfo: { name: 'desk', version: '1.0.0' },
          publicUrl: resource,
          auth: { authorizationServers: [issuer], requiredScopes: ['desk:read'], jwt: {} },
        }),
      ],
    };
  }
}
