import { Injectable, type OnModuleInit } from '@nestjs/common';
import {
  McpExtensions,
  Tool,
  ToolError,
  type CallOutcome,
  type ExtensionContext,
  type ExtensionHandle,
  type McpContext,
  type McpExtension,
  type SubscriptionSender,
} from 'nestjs-mcp';
import { z } from 'zod';
import { Gates } from '../../support/applications/gate.js';

export const ID = 'com.example/errands';

/** What is asked as it is written. */
export const ASKED = { message: 'Which way?', requestedSchema: { type: 'object', properties: {} } };

const Named = z.object({ name: z.string() });

/** Runs tools apart from their calls, and shows all that the interface gives. */
@Injectable()
export class Errands implements OnModuleInit {
  readonly gates = new Gates();
  readonly told: unknown[] = [];
  readonly questions: unknown[] = [];
  readonly open = new Set<unknown>();
  send: SubscriptionSender = () => undefined;
  handle!: ExtensionHandle;

  constructor(private readonly extensions: McpExtensions) {}

  onModuleInit(): void {
    this.handle = this.extensions.register(this.#describe());
    this.extensions.register({ id: 'com.example/other', specVersion: '1', stability: 'stable' });
  }

  @Tool({ inputSchema: Named })
  async run({ name }: { name: string }, context: McpContext): Promise<string> {
    context.progress(1, 2, 'begun');
    if (name === 'fail') throw new ToolError('It failed');
    if (name === 'wait') await this.gates.at(name).pass(context.signal);
    if (name !== 'ask') return `${name} for ${context.auth.claims?.sub} as ${context.task?.id}`;
    const answer = await context.elicit({ key: 'sure', message: 'Sure?', schema: Named });
    return answer.action === 'accept' ? answer.content.name : answer.action;
  }

  /** Runs a tool in the place of a client, and gives what came of it. */
  runTool(context: ExtensionContext, work?: (context: McpContext) => unknown): Promise<CallOutcome> {
    const { name } = context.params;
    const params = { name: 'run', arguments: { name }, _meta: { progressToken: 'own' } };
    const task = { id: 'errand-1', setStatusMessage: () => undefined };
    const running = this.handle.callTool(
      { params, origin: context, task, ...(work && { work }) },
      {
        notify: (...message) => void this.told.push(message),
        ask: (key, request) => {
          this.questions.push([key, request.method]);
          const isFirst = this.questions.length === 1;
          return Promise.resolve({ action: 'accept', content: { name: isFirst ? 7 : 'yes' } });
        },
      },
    );
    if (name === 'wait') running.cancel('Not wanted any more');
    return running.outcome;
  }

  #describe(): McpExtension {
    const show = (outcome: CallOutcome) => ({ outcome: outcome ?? 'cancelled' });
    return {
      id: ID,
      specVersion: '1',
      stability: 'experimental',
      published: { errands: 3 },
      capabilities: { experimental: { errands: { most: 3 } } },
      methods: [
        { method: 'errands/who', handle: ({ identity }) => ({ identity: identity ?? 'nobody' }) },
        { method: 'errands/run', handle: async (context) => show(await this.runTool(context)) },
        {
          method: 'errands/work',
          handle: async (context) =>
            show(await this.runTool(context, ({ task }) => `other work as ${task?.id}`)),
        },
        {
          method: 'errands/named',
          mcpNameParam: 'errand',
          handle: ({ params }) => ({ errand: params['errand'] }),
        },
        {
          method: 'errands/half-open',
          requiresDeclaration: ({ revision }) => revision.kind === 'perRequest',
          handle: () => ({ open: true }),
        },
        {
          method: 'errands/follow',
          handle: async (context) => {
            context.notify('notifications/errands/step', { step: 1, unread: context.bufferedBytes });
            return { answer: await context.request({ method: 'elicitation/create', params: ASKED }) };
          },
        },
      ],
      subscriptions: [
        {
          filter: 'errands',
          grant: (asked, { identity }) =>
            Array.isArray(asked) && identity !== undefined
              ? asked.filter((name) => name !== 'secret')
              : undefined,
          open: (honored, send) => {
            this.open.add(honored);
            this.send = send;
            return () => void this.open.delete(honored);
          },
        },
      ],
    };
  }
}
