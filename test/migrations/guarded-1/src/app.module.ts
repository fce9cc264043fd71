import { Module } from '@nestjs/common';
import { McpAuthJwtGuard, McpAuthModule, McpModule, McpTransportType } from '@rekog/mcp-nest';
import { LetInProvider } from './login.provider';
import { RecordsTool } from './records.tool';
import { StaffGuard } from './staff.guard';

@Module({
  imports: [
    McpAuthModule.forRoot({
      provider: LetInProvider,
      clientId: 'clinic',
      clientSecret: 'none',
      jwtSecret: process.env.JWT_SECRET ?? 'a-secret-for-development-of-32-characters',
      serverUrl: 'http://localhost:3000',
      resource: 'http://localhost:3000/mcp',
      cookieSecure: false,
      apiPrefix: 'auth',
      endpoints: {
        wellKnownAuthorizationServerMetadata: '/.well-known/oauth-authorization-server',
        wellKnownProtectedResourceMetadata: [
          '/.well-known/oauth-protected-resource/mcp',
          '/.well-known/oauth-protected-resource',
        ],
      },
    }),
    McpModule.forRoot({
      name: 'records',
      version: '1.0.0',
      transport: McpTransportType.STREAMABLE_HTTP,
      allowUnauthenticatedAccess: true,
      guards: [McpAuthJwtGuard],
    }),
  ],
  providers: [RecordsTool, McpAuthJwtGuard, StaffGuard],
})
export class AppModule {}
