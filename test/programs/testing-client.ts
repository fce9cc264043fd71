/** Makes a client of the test kit, and says what becomes of it. */
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule } from 'nestjs-mcp';
import { McpTestingModule } from 'nestjs-mcp/testing';

@Module({ imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' } })] })
class AppModule {}

const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
try {
  const client = await McpTestingModule.createClient(app);
  console.log(`connected in ${client.getNegotiatedProtocolVersion()}`);
} catch (error) {
  console.log((error as Error).message);
}
await app.close();
