/** A desk that takes one fixed token, or the tokens of an issuer where `ISSUER` is set. */
import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule, Tool, type AuthOptions } from 'nestjs-mcp';

const { ISSUER, TOKEN = '' } = process.env;

const RESOURCE = 'https://desk.example.com/mcp';

@Injectable()
class PingTool {
  @Tool()
  ping(): string {
    return 'pong';
  }
}

const auth: AuthOptions =
  ISSUER === undefined
    ? { bearer: { token: TOKEN, subject: 'service-a' } }
    : { resourceUri: RESOURCE, authorizationServers: [ISSUER], jwt: {} };

@Module({
  imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' }, auth })],
  providers: [PingTool],
})
class DeskModule {}

const app = await NestFactory.create(DeskModule, { logger: false, abortOnError: false });
await app.listen(0, '127.0.0.1');
process.once('SIGUSR2', () => void app.close());
console.log(`ready ${await app.getUrl()}/mcp`);
