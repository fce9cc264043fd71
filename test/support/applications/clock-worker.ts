import { Injectable, type DynamicModule } from '@nestjs/common';
import { McpModule, Tool } from 'nestjs-mcp';

@Injectable()
class ClockTools {
  @Tool({ description: 'Tells the time' })
  tellTime(): string {
    return '12:00';
  }
}

class WorkerModule {}

/** Builds the root module of an application without HTTP. Its tool `tellTime` always says `12:00`. */
export function buildClockWorker(): DynamicModule {
  return {
    module: WorkerModule,
    imports: [McpModule.forRoot({ serverInfo: { name: 'worker', version: '1.0.0' } })],
    providers: [ClockTools],
  };
}
