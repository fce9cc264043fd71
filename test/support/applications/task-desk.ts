import { Injectable } from '@nestjs/common';
import {
  ErrorCode,
  McpError,
  McpModule,
  McpTasks,
  Tool,
  ToolError,
  elicitation,
  sampling,
  type AuthOptions,
  type InputRequiredResult,
  type McpContext,
  type McpModuleExtras,
  type McpOptions,
} from 'nestjs-mcp';
import { z } from 'zod';
import { bootApp, type AppOptions, type RunningApp } from './boot.js';
import { Gates } from './gate.js';

const NAMED = z.object({ name: z.string() });
const REPORT = z.object({ total: z.number() });
const WORD = z.object({ word: z.string() });

/** Tools that run as tasks, whose ends the test decides on. */
@Injectable()
export class TaskTools {
  readonly gates = new Gates();
  /** What handlers were aborted for, by the name of their gate. */
  readonly aborted = new Map<string, string>();
  /** How often each tool was called. */
  readonly calls = new Map<string, number>();

  constructor(private readonly tasks: McpTasks) {}

  @Tool({ description: 'Says it at once', inputSchema: NAMED })
  greet({ name }: { name: string }): string {
    return `Hello, ${name}!`;
  }

  @Tool({ description: 'Waits at a gate', inputSchema: NAMED, task: 'optional', pollIntervalMs: 20 })
  async wait({ name }: { name: string }, context: McpContext): Promise<string> {
    this.calls.set(name, (this.calls.get(name) ?? 0) + 1);
    context.signal.addEventListener('abort', () => this.aborted.set(name, String(context.signal.reason)));
    await this.gates.at(name).pass(context.signal);
    return `${name} is done`;
  }

  @Tool({ description: 'Runs as a task alone', inputSchema: NAMED, task: 'required' })
  async must({ name }: { name: string }, { signal }: McpContext): Promise<string> {
    await this.gates.at(name).pass(signal);
    return `${name} is done`;
  }

  @Tool({ description: 'Never runs as a task', task: 'forbidden' })
  never(): string {
    return 'at once';
  }

  @Tool({ description: 'Reports and says where it is', inputSchema: NAMED, task: 'optional' })
  async report({ name }: { name: string }, context: McpContext): Promise<string> {
    context.progress(1, 3, 'begun');
    context.task?.setStatusMessage('Half of it is there');
    await this.gates.at(name).pass(context.signal);
    context.log('error', 'nearly');
    context.progress(2, 3, 'nearly');
    return 'reported';
  }

  @Tool({ description: 'Asks for a word', task: 'optional' })
  async ask(_arguments: object, context: McpContext): Promise<string> {
    const answer = await context.elicit({ key: 'word', message: 'Which word?', schema: WORD });
    return answer.action === 'accept' ? `The word is ${answer.content.word}` : `No word: ${answer.action}`;
  }

  @Tool({ description: 'Lets the user guess until it is right', task: 'optional' })
  guess(_arguments: object, { requestState, inputResponses }: McpContext): string | InputRequiredResult {
    const round = Number(requestState ?? 0);
    const guessed = inputResponses['guess'] as { content?: { word?: string } } | undefined;
    if (guessed?.content?.word === 'quire') return `Right, in round ${round}`;
    const requestedSchema = { type: 'object', properties: { word: { type: 'string' } } };
    const params = { message: 'Which word?', requestedSchema };
    return {
      resultType: 'input_required',
      inputRequests: { guess: { method: 'elicitation/create', params } },
      requestState: String(round + 1),
    };
  }

  @Tool({ description: 'Asks two questions at once', task: 'optional' })
  async askBoth(_arguments: object, context: McpContext): Promise<string> {
    const { word, poem } = await context.requestAll({
      word: elicitation({ message: 'Which word?', schema: WORD }),
      poem: sampling({ messages: [], maxTokens: 10 }),
    });
    return JSON.stringify({ word, poem });
  }

  @Tool({ description: 'Says of itself that it failed', task: 'optional' })
  refuse(): never {
    throw new ToolError('There is no paper');
  }

  @Tool({ description: 'Fails with an error of the protocol', task: 'optional' })
  break(): never {
    throw new McpError(ErrorCode.InternalError, 'The press is broken', { press: 7 });
  }

  @Tool({ description: 'Throws what it should not', task: 'optional' })
  crash(): never {
    throw new TypeError('secret 4711 is undefined');
  }

  @Tool({ description: 'Cannot be written as JSON', inputSchema: NAMED, task: 'optional' })
  odd({ name }: { name: string }): unknown {
    const cycle: Record<string, unknown> = { name };
    cycle['cycle'] = cycle;
    return name === 'cycle' ? cycle : { big: 12n };
  }

  @Tool({ description: 'Hangs, whatever happens', inputSchema: NAMED, task: 'optional', ttlMs: 150 })
  async hang({ name }: { name: string }, { signal }: McpContext): Promise<string> {
    signal.addEventListener('abort', () => this.aborted.set(name, String(signal.reason)));
    return new Promise(() => undefined);
  }

  @Tool({ description: 'Counts', inputSchema: NAMED, outputSchema: REPORT, task: 'optional' })
  count({ name }: { name: string }): unknown {
    return { total: name === 'wrong' ? 'many' : name.length };
  }

  @Tool({ description: 'Asks, and goes on as a task' })
  async askThenWait(_arguments: object, context: McpContext): Promise<unknown> {
    const answer = await context.elicit({ key: 'word', message: 'Which gate?', schema: WORD });
    const name = answer.action === 'accept' ? answer.content.word : 'none';
    return this.tasks.start(context, async (task) => {
      await this.gates.at(name).pass(task.signal);
      return `${name} is done, ${context.task === undefined ? 'the call has no task' : ''}`;
    });
  }

  @Tool({ description: 'Goes on as a task', inputSchema: NAMED, outputSchema: REPORT })
  start({ name }: { name: string }, context: McpContext): Promise<unknown> {
    return this.tasks.start(context, async (task) => {
      task.task?.setStatusMessage('Counting');
      await this.gates.at(name).pass(task.signal);
      return { total: name.length };
    });
  }
}

/** A desk with its tools. */
export interface TaskDesk extends RunningApp {
  readonly tools: TaskTools;
  readonly tasks: McpTasks;
}

/** What a desk consists of, besides its tools. */
export type TaskDeskOptions = Partial<McpOptions & McpModuleExtras> & { readonly auth?: AuthOptions };

/** Starts a desk whose tools run as tasks. */
export async function bootTaskDesk(
  options: TaskDeskOptions = {},
  parts: Pick<AppOptions, 'adapter' | 'nest' | 'configure' | 'trustProxy'> = {},
): Promise<TaskDesk> {
  const running = await bootApp({
    imports: [McpModule.forRoot({ serverInfo: { name: 'desk', version: '1.0.0' }, tasks: true, ...options })],
    providers: [TaskTools],
    ...parts,
  });
  const tools = running.app.get(TaskTools);
  return { ...running, tools, tasks: running.app.get(McpTasks) };
}
