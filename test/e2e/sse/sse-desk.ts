import { Injectable, type NestApplicationOptions, type INestApplication } from '@nestjs/common';
import {
  McpModule,
  McpNotifier,
  Resource,
  Tool,
  type McpContext,
  type McpModuleExtras,
  type McpOptions,
} from 'nestjs-mcp';
import { z } from 'zod';
import { bootApp, type AdapterName, type RunningApp } from '../../support/applications/boot.js';
import { Gates } from '../../support/applications/gate.js';

const TEXT = z.object({ text: z.string() });
const REGION = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
} as const;
const NAMED = z.object({ gate: z.string() });

@Injectable()
export class DeskTools {
  readonly gates = new Gates();
  readonly aborted: string[] = [];

  @Tool({ description: 'Says what it is told', inputSchema: TEXT })
  echo({ text }: { text: string }): string {
    return text;
  }

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

  @Tool({ description: 'Asks for a word', inputSchema: TEXT })
  async ask({ text }: { text: string }, context: McpContext): Promise<string> {
    const answer = await context.elicit({ message: text, schema: TEXT });
    return answer.action === 'accept' ? answer.content.text : answer.action;
  }

  @Tool({ description: 'Reports and waits', inputSchema: NAMED })
  async wait({ gate }: { gate: string }, context: McpContext): Promise<string> {
    context.progress(1, 2, 'half');
    context.signal.addEventListener('abort', () => this.aborted.push(gate));
    await this.gates.at(gate).pass(context.signal);
    return gate;
  }

  @Tool({ description: 'Waits for ever', inputSchema: NAMED })
  async ignore({ gate }: { gate: string }): Promise<string> {
    await this.gates.at(gate).pass();
    return gate;
  }

  @Resource({ uri: 'desk://note', description: 'A note' })
  note(): string {
    return 'a note';
  }
}

export interface SseDesk extends RunningApp {
  /** Where its stream is. */
  readonly sse: string;
  readonly tools: DeskTools;
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
  const desk = await bootApp({
    adapter,
    imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' }, sse: true, ...options })],
    providers: [DeskTools],
    ...rest,
  });
  return Object.assign(desk, {
    sse: `${desk.origin}${path}`,
    tools: desk.app.get(DeskTools),
    notifier: desk.app.get(McpNotifier),
  });
}
