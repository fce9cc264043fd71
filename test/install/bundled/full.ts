/** An application with every kind of schema, clients, the test kit, tracing and Terminus, on Express. */
import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import { ExpressAdapter } from '@nestjs/platform-express';
import { TerminusModule } from '@nestjs/terminus';
import { trace } from '@opentelemetry/api';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { Expose, Type } from 'class-transformer';
import { IsInt, IsString, ValidateNested } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { McpInMemoryConnector, McpModule, Public, Tool } from 'nestjs-mcp';
import { OAuthTokenSource } from 'nestjs-mcp/client';
import { McpClientModule } from 'nestjs-mcp/client-module';
import { redisCluster } from 'nestjs-mcp/redis';
import { McpTestingModule } from 'nestjs-mcp/testing';
import * as v from 'valibot';
import { z } from 'zod';
import { serve } from './serve.js';

class PlaceDto {
  @IsInt()
  floor!: number;
}

class NameDto {
  @Expose({ name: 'name' })
  @JSONSchema({ description: 'Whom to greet' })
  @IsString()
  given!: string;

  @ValidateNested()
  @Type(() => PlaceDto)
  place!: PlaceDto;
}

interface Named {
  readonly name: string;
}

@Public()
@Injectable()
class Tools {
  constructor(private readonly connector: McpInMemoryConnector) {}

  @Tool({ inputSchema: z.object({ name: z.string() }) })
  zod({ name }: Named): string {
    return `Hello, ${name}`;
  }

  @Tool({ inputSchema: toStandardJsonSchema(v.object({ name: v.string() })) })
  valibot({ name }: Named): string {
    return `Hello, ${name}`;
  }

  @Tool({ inputSchema: type({ name: 'string' }) })
  arktype({ name }: Named): string {
    return `Hello, ${name}`;
  }

  @Tool({ inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } })
  json({ name }: Named): string {
    return `Hello, ${name}`;
  }

  @Tool({ inputSchema: NameDto })
  dto(given: NameDto): string {
    if (!(given instanceof NameDto) || !(given.place instanceof PlaceDto)) throw new TypeError('No instance');
    return `Hello, ${given.given}`;
  }

  /** What is only loaded when it is used is used here. */
  @Tool()
  async clients(): Promise<string> {
    const { Client } = await import('@modelcontextprotocol/client');
    const client = new Client({ name: 'bundled', version: '1.0.0' });
    await client.connect(await this.connector.connect());
    const { content } = await client.callTool({ name: 'zod', arguments: { name: 'Ada' } });
    await client.close();
    const entries = [OAuthTokenSource, McpTestingModule, redisCluster].map((entry) => typeof entry).join(' ');
    return `${JSON.stringify(content)} ${entries}`;
  }
}

@Module({
  imports: [
    McpModule.forRoot({
      serverInfo: { name: 'full', version: '1.0.0' },
      auth: {
        resourceUri: 'http://localhost/mcp',
        authorizationServers: ['http://localhost'],
        jwt: { tracerProvider: trace.getTracerProvider() },
      },
    }),
    TerminusModule,
    McpClientModule.forRoot([{ name: 'other', url: 'http://127.0.0.1:9/mcp' }]),
  ],
  providers: [Tools],
})
class FullModule {}

void serve(FullModule, new ExpressAdapter());
