/** A desk in a process with OpenTelemetry's instrumentations of HTTP and Nest, of Nest 11 if `NEST` says so. On a signal it prints the spans that have ended. */
import { register } from 'node:module';
import { context, trace } from '@opentelemetry/api';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { NestInstrumentation } from '@opentelemetry/instrumentation-nestjs-core';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';

if (process.env['NEST'] === '11') register('./older-nest.js', import.meta.url);
register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);
const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register();
registerInstrumentations({ instrumentations: [new HttpInstrumentation(), new NestInstrumentation()] });

// What is instrumented is loaded after its instrumentation.
await import('reflect-metadata');
const { Injectable, Module } = await import('@nestjs/common');
const { NestFactory } = await import('@nestjs/core');
const { McpModule, Tool } = await import('nestjs-mcp');

@Injectable()
class PingTool {
  @Tool()
  async ping(): Promise<string> {
    await Promise.resolve();
    trace.getTracer('desk').startSpan('SELECT 1', {}, context.active()).end();
    return 'pong';
  }
}

@Module({
  imports: [
    McpModule.forRoot({
      serverInfo: { name: 'desk', version: '1.0.0' },
      telemetry: { tracerProvider: provider },
    }),
  ],
  providers: [PingTool],
})
class DeskModule {}

const app = await NestFactory.create(DeskModule, { logger: false, abortOnError: false });
await app.listen(0, '127.0.0.1');
process.once('SIGUSR2', () => {
  const spans = exporter.getFinishedSpans().map((span) => ({
    name: span.name,
    kind: span.kind,
    scope: span.instrumentationScope.name,
    traceId: span.spanContext().traceId,
    spanId: span.spanContext().spanId,
    parent: span.parentSpanContext?.spanId,
    links: span.links.map((link) => link.context.spanId),
  }));
  console.log(`spans ${JSON.stringify(spans)}`);
  void app.close();
});
console.log(`ready ${await app.getUrl()}/mcp`);
