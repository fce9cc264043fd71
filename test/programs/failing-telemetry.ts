/** A server over standard input and output whose telemetry, audit and logger fail. */
import 'reflect-metadata';
import { Injectable, Logger, Module, type OnModuleInit } from '@nestjs/common';
import { BasicTracerProvider, type SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { McpAudit, McpModule, McpStdio, Tool } from 'nestjs-mcp';

const fail = (): never => {
  throw new Error('the observer is broken');
};

const processor: SpanProcessor = {
  onStart: fail,
  onEnd: fail,
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
};

@Injectable()
class Desk implements OnModuleInit {
  constructor(private readonly audit: McpAudit) {}

  onModuleInit(): void {
    this.audit.events$.subscribe(fail);
    this.audit.writeTo(() => Promise.reject(new Error('the archive is full')));
    Logger.overrideLogger({ log: fail, error: fail, warn: fail, debug: fail, verbose: fail, fatal: fail });
  }

  @Tool()
  greet(): string {
    return 'hello';
  }

  @Tool()
  crash(): never {
    throw new Error('broken');
  }
}

@Module({
  imports: [
    McpModule.forRoot({
      serverInfo: { name: 'desk', version: '1.0.0' },
      audit: { redact: fail },
      telemetry: { tracerProvider: new BasicTracerProvider({ spanProcessors: [processor] }), redact: fail },
    }),
  ],
  providers: [Desk],
})
class DeskModule {}

await McpStdio.run(DeskModule);
