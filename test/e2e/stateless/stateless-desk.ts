import { Injectable, type NestApplicationOptions } from '@nestjs/common';
import { McpModule, McpNotifier, Prompt, Resource, Tool, type McpContext, type McpOptions } from 'nestjs-mcp';
import { z } from 'zod';
import { bootApp, type AdapterName, type RunningApp } from '../../support/applications/boot.js';
import { Gates } from '../../support/applications/gate.js';

const TEXT = z.object({ text: z.string() });
const NAMED = z.object({ gate: z.string() });

@Injectable()
export class DeskTools {
  readonly gates = new Gates();
  readonly aborted: string[] = [];

  @Tool({ description: 'Says what it is told', inputSchema: TEXT })
  echo({ text }: { text: string }): string {
    return text;
  }

  @Tool({ description: 'Reports its progress and complains' })
  report(_arguments: object, context: McpContext): string {
    context.progress(1, 2, 'half');
    context.log('error', 'out of paper');
    context.progress(2, 2, 'whole');
    return 'reported';
  }

  @Tool({ description: 'Says who calls, as far as that is known' })
  caller(_arguments: object, context: McpContext) {
    const { client, revision, session, auth, http } = context;
    return {
      capabilities: client.capabilities,
      name: client.info?.name ?? null,
      version: revision.version,
      session: session?.id ?? null,
      subject: auth.claims?.sub ?? null,
      agent: http?.headers['user-agent'] ?? null,
    };
  }

  @Tool({ description: 'Asks for a word', inputSchema: TEXT })
  async ask({ text }: { text: string }, context: McpContext): Promise<string> {
    const answer = await context.elicit({ message: text, schema: TEXT });
    return answer.action === 'accept' ? answer.content.text : answer.action;
  }

  @Tool({ description: 'Waits', inputSchema: NAMED })
  async wait({ gate }: { gate: string }, context: McpContext): Promise<string> {
    context.progress(1);
    context.signal.addEventListener('abort', () => this.aborted.push(gate));
    await this.gates.at(gate).pass(context.signal);
    return gate;
  }

  @Resource({ uri: 'desk://note', description: 'A note' })
  note(): string {
    return 'a note';
  }

  @Prompt({ description: 'A greeting' })
  greet(): string {
    return 'Hello';
  }
}

export interface StatelessDesk extends RunningApp {
  readonly tools: DeskTools;
  readonly notifier: McpNotifier;
}

/** Starts a desk that keeps nothing between requests. */
export async function bootStateless(
  adapter: AdapterName,
  options: Partial<McpOptions> = {},
  nest?: NestApplicationOptions,
): Promise<StatelessDesk> {
  const desk = await bootApp({
    adapter,
    imports: [
      McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' }, stateless: true, ...options }),
    ],
    providers: [DeskTools],
    ...(nest && { nest }),
  });
  return Object.assign(desk, { tools: desk.app.get(DeskTools), notifier: desk.app.get(McpNotifier) });
}
