/** An application with one client, of the server at `URL`: it prints that it runs, and what becomes of its first call. */
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpClientModule, McpClients } from 'nestjs-mcp/client-module';

const { URL: url = '' } = process.env;

@Module({ imports: [McpClientModule.forRoot([{ name: 'shop', url }])] })
class ClientModule {}

const app = await NestFactory.createApplicationContext(ClientModule, { logger: false });
process.stdout.write('runs\n');
try {
  const tools = await app.get(McpClients).get('shop').listTools();
  process.stdout.write(`has ${tools.length} tools\n`);
} catch (error) {
  process.stdout.write(`fails: ${(error as Error).message}\n`);
}
await app.close();
