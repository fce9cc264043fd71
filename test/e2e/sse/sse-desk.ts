import { Injectable, type NestApplicationOptions, type INestApplication } from '@nestjs/common';
import { McpNotifier, Tool, type McpContext, type McpModuleExtras, type McpOptions } from 'nestjs-mcp';
import type { AdapterName, RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { WireTools } from '../../support/applications/wire-tools.js';

const REGION = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
} as const;

@Injectable()
export class SseTools extends WireTools {
  @Tool({ description: 'Says what a header may repeat', inputSchema: REGION })
  region({ region }: { region: string }): string {
    return region;
  }

  @Tool({ description: 'Reports its progress and complains' })
  report(_arguments: object, context: McpContext): string {
    context.progress(1, 2, 'half');
    context.log('error', 'out of paper');
    return 'reported';
  }

  @Tool({ description: 'Says who calls' })
  caller(_arguments: object, { revision, session, auth, http }: McpContext): string {
    return JSON.stringify({
      version: revision.version,
      subject: auth.claims?.sub,
      ofSession: session?.claims?.sub,
      scopes: [...(session?.claims?.scopes ?? [])],
      agent: http?.headers['user-agent'],
    });
  }
}

export interface SseDesk extends RunningApp {
  /** Where its stream is. */
  readonly sse: string;
  readonly tools: SseTools;
  readonly notifier: McpNotifier;
}

interface SseDeskOptions {
  readonly options?: Partial<McpOptions & McpModuleExtras>;
  /** @default '/sse' */
  readonly path?: string;
  readonly nest?: NestApplicationOptions;
  readonly configure?: (app: INestApplication) => void;
}

/** Starts a desk that serves HTTP+SSE beside its endpoint. */
export async function bootSse(adapter: AdapterName, given: SseDeskOptions = {}): Promise<SseDesk> {
  const { options, path = '/sse', ...rest } = given;
  const desk = await bootServer({
    adapter,
    options: { sse: true, ...options },
    providers: [SseTools],
    ...rest,
  });
  return Object.assign(desk, {
    sse: `${desk.origin}${path}`,
    tools: desk.app.get(SseTools),
    notifier: desk.app.get(McpNotifier),
  });
}
