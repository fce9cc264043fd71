/** Starts an application whose tools are searched, and prints what comes of that. */
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule } from 'nestjs-mcp';

@Module({
  imports: [
    McpModule.forRoot({ serverInfo: { name: 'office', version: '1.0.0' }, catalog: { search: true } }),
  ],
})
class AppModule {}

try {
  const app = await NestFactory.create(AppModule, { logger: false, abortOnError: false });
  await app.init();
  await app.close();
  process.stdout.write('started\n');
} catch (error) {
  process.stdout.write(`${String(error)}\n`);
}
