/** A desk that takes the tokens of `ISSUER`, and traces where `TRACED` is set. On a signal it prints what it has loaded of OpenTelemetry. */
import 'reflect-metadata';
import { createRequire } from 'node:module';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule, Tool } from 'nestjs-mcp';

const { ISSUER = '', AUDIENCE = '', TRACED } = process.env;

@Injectable()
class PingTool {
  @Tool()
  ping(): string {
    return 'pong';
  }
}

/** Nothing is asked of it: no request comes. */
const tracerProvider = { getTracer: () => undefined };

@Module({
  imports: [
    McpModule.forRoot({
      serverInfo: { name: 'desk', version: '1.0.0' },
      auth: {
        resourceUri: AUDIENCE,
        authorizationServers: [ISSUER],
        jwt: TRACED === undefined ? {} : { tracerProvider },
      },
    }),
  ],
  providers: [PingTool],
})
class DeskModule {}

const app = await NestFactory.create(DeskModule, { logger: false, abortOnError: false });
await app.listen(0, '127.0.0.1');
process.once('SIGUSR2', () => {
  const files = Object.keys(createRequire(import.meta.url).cache);
  console.log(`loaded ${files.filter((file) => file.includes('@opentelemetry')).length} of ${files.length}`);
  void app.close();
});
console.log(`ready ${await app.getUrl()}/mcp`);
