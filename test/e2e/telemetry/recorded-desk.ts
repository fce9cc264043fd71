import { PassThrough } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { trace } from '@opentelemetry/api';
import {
  Client,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import {
  ErrorCode,
  McpInMemoryConnector,
  McpError,
  Prompt,
  Resource,
  Tool,
  ToolError,
  type McpContext,
  type McpOptions,
  type TelemetryOptions,
} from 'nestjs-mcp';
import { z } from 'zod';
import { StdioTransport } from '../../../lib/server/transport/stdio/stdio-transport.js';
import type { AdapterName, RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { RecordedMetrics } from '../../support/records/recorded-metrics.js';
import { RecordedTraces } from '../../support/records/recorded-traces.js';

@Injectable()
class DeskHandlers {
  @Tool({ inputSchema: z.object({ text: z.string() }) })
  async echo({ text }: { text: string }): Promise<string> {
    await Promise.resolve();
    trace.getTracer('desk').startSpan('SELECT tickets').end();
    return text;
  }

  @Tool()
  refuse(): never {
    throw new ToolError('The desk is closed');
  }

  @Tool()
  burn(): never {
    throw new McpError(ErrorCode.InternalError, 'The desk burns');
  }

  @Tool()
  async ask(_arguments: object, context: McpContext): Promise<string> {
    const answer = await context.elicit({ message: 'Which word?', schema: z.object({ word: z.string() }) });
    return answer.action;
  }

  @Tool()
  wait(_arguments: object, { signal }: McpContext): Promise<never> {
    return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  }

  @Prompt({ arguments: z.object({ name: z.string() }) })
  greet({ name }: { name: string }): string {
    return `Hello, ${name}!`;
  }

  @Resource({ uri: 'desk://rules' })
  rules(): string {
    return 'Be kind';
  }
}

/** A desk whose spans and metrics are kept. */
export interface RecordedDesk extends RunningApp {
  readonly traces: RecordedTraces;
  readonly metrics: RecordedMetrics;
}

/** Starts a desk that records. */
export async function bootRecordedDesk({
  adapter = 'express',
  telemetry,
  options,
}: {
  readonly adapter?: AdapterName;
  readonly telemetry?: TelemetryOptions;
  readonly options?: Partial<McpOptions>;
} = {}): Promise<RecordedDesk> {
  const traces = new RecordedTraces();
  const metrics = new RecordedMetrics();
  const desk = await bootServer({
    adapter,
    providers: [DeskHandlers],
    options: {
      sse: true,
      ...options,
      telemetry: { tracerProvider: traces.provider, meterProvider: metrics.provider, ...telemetry },
    },
  });
  return { ...desk, traces, metrics };
}

/** Ways to a desk: each gives what carries the messages of an official client. */
export const WAYS: Readonly<Record<string, (desk: RunningApp) => Promise<Transport> | Transport>> = {
  'streamable HTTP': ({ url }) => new StreamableHTTPClientTransport(new URL(url)),
  'HTTP+SSE': ({ origin }) => new SSEClientTransport(new URL(`${origin}/sse`)),
  stdio: ({ app }) => new PipeTransport(app.get(StdioTransport)),
  'in-process': ({ app }) => app.get(McpInMemoryConnector).connect(),
};

/** Connects an official client that answers what it is asked. */
export async function connect(transport: Transport): Promise<Client> {
  const client = new Client(
    { name: 'visitor', version: '1.0.0' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: 'legacy' } },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => {
    questions.push(params as { _meta?: Record<string, unknown> });
    return { action: 'decline' };
  });
  await client.connect(transport);
  return client;
}

/** What clients were asked. */
export const questions: { readonly _meta?: Record<string, unknown> }[] = [];

/** Speaks to a server over the pipes of a process, without the process. */
class PipeTransport implements Transport {
  onmessage?: Transport['onmessage'];
  onclose?: () => void;
  readonly #input = new PassThrough();
  readonly #output = new PassThrough();
  #served: Promise<void> | undefined;

  constructor(private readonly stdio: StdioTransport) {}

  async start(): Promise<void> {
    let rest = '';
    this.#output.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) this.onmessage?.(JSON.parse(line) as JSONRPCMessage);
    });
    const { signal } = new AbortController();
    this.#served = this.stdio.serve({ input: this.#input, output: this.#output, graceMs: 1000, signal });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#input.write(`${JSON.stringify(message)}\n`);
  }

  async close(): Promise<void> {
    this.#input.end();
    await this.#served;
    this.onclose?.();
  }
}
