import { Injectable, type Type } from '@nestjs/common';
import { trace } from '@opentelemetry/api';
import { McpModule, Tool, type JwtOptions } from 'nestjs-mcp';
import { z } from 'zod';
import { bootApp, type AdapterName, type RunningApp } from '../../support/applications/boot.js';
import { AUDIENCE, type TestIssuer } from '../../support/authorization/issuer.js';

@Injectable()
class DeskTools {
  /** Starts a span as an instrumentation of a database does: by the provider that the application registered. */
  @Tool({ inputSchema: z.object({ text: z.string() }) })
  async find({ text }: { text: string }): Promise<string> {
    await Promise.resolve();
    const span = trace.getTracer('desk').startSpan('SELECT tickets');
    span.end();
    return `${text}: none`;
  }
}

interface DeskOptions {
  readonly adapter?: AdapterName;
  readonly issuer: TestIssuer;
  readonly tracing?: Pick<JwtOptions, 'tracerProvider' | 'jwksTracerProvider'>;
  /** Routes of the application's own. */
  readonly controllers?: Type[];
}

/** Starts a desk that takes the tokens of an issuer. */
export function bootDesk({
  adapter = 'express',
  issuer,
  tracing,
  controllers = [],
}: DeskOptions): Promise<RunningApp> {
  return bootApp({
    adapter,
    controllers,
    providers: [DeskTools],
    imports: [
      McpModule.forRoot({
        serverInfo: { name: 'desk', version: '1.0.0' },
        limits: { bodyBytes: 2000 },
        auth: { resourceUri: AUDIENCE, authorizationServers: [issuer.url], jwt: { ...tracing } },
      }),
    ],
  });
}
