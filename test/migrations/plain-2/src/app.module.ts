import { Module } from '@nestjs/common';
import { MCP_STRATEGY, McpStrategy, StreamableHttpTransport } from '@rekog/mcp-nest';
import { GreetingsController } from './greetings.controller';
import { GreetingsService } from './greetings.service';

export const mcp = new McpStrategy({
  name: 'greetings',
  version: '2.0.0',
  title: 'Greetings',
  instructions: 'Greet politely.',
  capabilities: { tools: { listChanged: true }, resources: { listChanged: true } },
  logging: { level: ['error', 'warn'] },
  transports: [new StreamableHttpTransport({ endpoint: '/greetings/mcp', statefulMode: true })],
});

@Module({
  controllers: [GreetingsController],
  providers: [GreetingsService, { provide: MCP_STRATEGY, useValue: mcp }],
})
export class AppModule {}
