import { Injectable, type NestApplicationOptions } from '@nestjs/common';
import { McpNotifier, Prompt, Tool, type McpContext, type McpOptions } from 'nestjs-mcp';
import type { AdapterName, RunningApp } from '../../support/applications/boot.js';
import { bootServer } from '../../support/applications/server.js';
import { WireTools } from '../../support/applications/wire-tools.js';

@Injectable()
export class StatelessTools extends WireTools {
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

  @Prompt({ description: 'A greeting' })
  greet(): string {
    return 'Hello';
  }
}

export interface StatelessDesk extends RunningApp {
  readonly tools: StatelessTools;
  readonly notifier: McpNotifier;
}

/** Starts a desk that keeps nothing between requests. */
export async function bootStateless(
  adapter: AdapterName,
  options: Partial<McpOptions> = {},
  nest?: NestApplicationOptions,
): Promise<StatelessDesk> {
  const desk = await bootServer({
    adapter,
    options: { stateless: true, ...options },
    providers: [StatelessTools],
    ...(nest && { nest }),
  });
  return Object.assign(desk, { tools: desk.app.get(StatelessTools), notifier: desk.app.get(McpNotifier) });
}
