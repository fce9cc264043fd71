import { Injectable, type Type } from '@nestjs/common';
import { trace } from '@opentelemetry/api';
import { Tool, type JwtOptions } from 'nestjs-mcp';
import { z } from 'zod';
import type { AdapterName, RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { AUDIENCE, type TestIssuer } from '../../support/authorization/issuer.js';

@Injectable()
class TracedTool {
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
  return bootServer({
    adapter,
    controllers,
    providers: [TracedTool],
    options: {
      limits: { bodyBytes: 2000 },
      auth: { resourceUri: AUDIENCE, authorizationServers: [issuer.url], jwt: { ...tracing } },
    },
  });
}
