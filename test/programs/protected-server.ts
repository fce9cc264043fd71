/** A server that takes the tokens of `ISSUER`, whose keys `COOLDOWN_MS` and `TIMEOUT_MS` bound the fetching of. It prints its URL. */
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule } from 'nestjs-mcp';
import { GreetingTool } from '../support/applications/greeting-tool.js';
import { AUDIENCE } from '../support/authorization/issuer.js';

const { ISSUER = '', COOLDOWN_MS, TIMEOUT_MS } = process.env;

@Module({
  imports: [
    McpModule.forRoot({
      serverInfo: { name: 'protected', version: '1.0.0' },
      auth: {
        resourceUri: AUDIENCE,
        authorizationServers: [ISSUER],
        jwt: {
          jwksUrl: `${ISSUER}/keys`,
          jwks: { cooldownMs: Number(COOLDOWN_MS), timeoutMs: Number(TIMEOUT_MS) },
        },
      },
    }),
  ],
  providers: [GreetingTool],
})
class ProtectedModule {}

const app = await NestFactory.create(ProtectedModule, { logger: false, forceCloseConnections: true });
app.enableShutdownHooks();
await app.listen(0, '127.0.0.1');
process.stdout.write(`ready ${await app.getUrl()}/mcp\n`);
