import { Inject, Injectable, Module, OnModuleInit } from '@nestjs/common';
import { MCP_STRATEGY, McpStrategy } from '@rekog/mcp-nest';
import { ServerModule } from './server.module';

@Injectable()
export class ExternalService implements OnModuleInit {
  constructor(@Inject(MCP_STRATEGY) private readonly strategy: McpStrategy) {}

  onModuleInit() {
    this.strategy.registerTool({
      name: 'external-tool',
      description: 'Comes from another module',
      handler: async () => ({ content: [{ type: 'text', text: 'result' }] }),
    });
  }
}

@Module({
  imports: [ServerModule],
  providers: [ExternalService],
})
export class ExternalModule {}
