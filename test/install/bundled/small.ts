/** An application with none of the packages that are optional, on Fastify. It has a client, which needs one of them once it is used. */
import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpModule, Tool } from 'nestjs-mcp';
import { McpClientModule } from 'nestjs-mcp/client-module';
import { z } from 'zod';
import { serve } from './serve.js';

@Injectable()
class Tools {
  @Tool({ inputSchema: z.object({ name: z.string() }) })
  zod({ name }: { name: string }): string {
    return `Hello, ${name}`;
  }

  @Tool({ inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } })
  json({ name }: { name: string }): string {
    return `Hello, ${name}`;
  }
}

@Module({
  imports: [
    McpModule.forRoot({ serverInfo: { name: 'small', version: '1.0.0' } }),
    McpClientModule.forRoot([{ name: 'other', url: 'http://127.0.0.1:9/mcp' }]),
  ],
  providers: [Tools],
})
class SmallModule {}

void serve(SmallModule, new FastifyAdapter());
