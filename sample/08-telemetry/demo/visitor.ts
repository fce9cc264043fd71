import { Injectable, Module, type DynamicModule } from '@nestjs/common';
import { InjectMcpClient, McpClient, McpClientModule, McpElicitation } from 'nestjs-mcp/client-module';
import type { TelemetryOptions } from 'nestjs-mcp';

/** Somebody with questions for the desk. */
@Injectable()
export class Visitor {
  constructor(@InjectMcpClient('desk') private readonly desk: McpClient) {}

  async visit(): Promise<void> {
    await this.desk.callTool('find', { word: 'printer' });
    await this.desk.callTool('close');
    await this.desk.callTool('open');
  }

  @McpElicitation({ client: 'desk' })
  agree() {
    return { action: 'accept', content: { sure: true } };
  }
}

/** An application of its own, whose client passes its traces on to the desk. */
@Module({})
export class VisitorModule {
  static of(url: string, telemetry: TelemetryOptions): DynamicModule {
    return {
      module: VisitorModule,
      imports: [McpClientModule.forRoot([{ name: 'desk', url, telemetry, negotiation: 'legacy' }])],
      providers: [Visitor],
    };
  }
}
