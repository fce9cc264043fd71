import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { McpModule } from 'nestjs-mcp';

console.log('What an application prints is no report');

@Module({
  imports: [
    McpModule.forRoot({
      serverInfo: { name: 'shop', version: '1.0.0' },
      exposeErrors: process.env['EXPOSE_ERRORS'] === '1',
      auth: { bearer: 'a-fixed-token-of-the-tests' },
    }),
  ],
})
export class AppModule {}

@Module({})
export class EmptyModule {}

@Module({
  providers: [
    {
      provide: 'database',
      useFactory: () => {
        throw new Error('The database is not there');
      },
    },
  ],
})
export class FailingModule {}

export async function createApp(): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule);
  app.set('trust proxy', 1);
  app.enableShutdownHooks();
  // A connection to somewhere keeps a process from ending by itself.
  setInterval(() => undefined, 1000);
  return app;
}
