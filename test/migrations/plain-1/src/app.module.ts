import { Module } from '@nestjs/common';
import { McpModule, McpTransportType } from '@rekog/mcp-nest';
import { randomUUID } from 'crypto';
import { ClinicResource } from './clinic.resource';
import { FullHourFilter } from './full-hour.filter';
import { VisitsService } from './visits.service';
import { VisitsTool } from './visits.tool';

@Module({
  imports: [
    McpModule.forRoot({
      name: 'clinic',
      title: 'The clinic',
      version: '1.2.3',
      instructions: 'Look a visit up before you move it.',
      capabilities: {
        tools: { listChanged: true },
        resources: { listChanged: true },
        prompts: { listChanged: true },
        logging: {},
      },
      transport: [McpTransportType.SSE, McpTransportType.STREAMABLE_HTTP],
      apiPrefix: 'v1',
      mcpEndpoint: 'clinic',
      sseEndpoint: 'events',
      messagesEndpoint: 'chat',
      streamableHttp: {
        enableJsonResponse: false,
        sessionIdGenerator: () => randomUUID(),
        statelessMode: false,
      },
      logging: { level: ['error', 'warn'] },
    }),
  ],
  providers: [VisitsService, VisitsTool, ClinicResource, FullHourFilter],
})
export class AppModule {}
