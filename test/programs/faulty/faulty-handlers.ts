import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Complete, McpNotifier, Prompt, Resource, ResourceTemplate, Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import { commit } from './faults.js';

const Kind = z.object({ kind: z.string() });
const Text = z.object({ text: z.string() });
const Duration = z.object({ ms: z.number() });
const QUESTION_MS = Number(process.env['QUESTION_MS'] ?? 1000);

/** Handlers that do what they are told, and it is mostly wrong. */
@Injectable()
export class FaultyHandlers {
  constructor(private readonly notifier: McpNotifier) {}

  @Tool({ inputSchema: Kind })
  fault({ kind }: { kind: string }, context: McpContext): unknown {
    return commit(kind, context);
  }

  @ResourceTemplate({ uriTemplate: 'faulty://{kind}' })
  resource({ kind }: { kind: string }, context: McpContext): unknown {
    return commit(kind, context);
  }

  @Prompt({ arguments: [{ name: 'kind' }] })
  prompt({ kind }: { kind: string }, context: McpContext): unknown {
    return commit(kind, context);
  }

  @Complete({ prompt: 'prompt', argument: 'kind' })
  complete({ value }: { value: string }, context: McpContext): unknown {
    return commit(value, context);
  }

  @Tool({ inputSchema: Text, timeoutMs: 10_000 })
  async echo({ text }: { text: string }): Promise<string> {
    await delay(text.length % 3);
    return text;
  }

  /** Says that it runs, and answers after a time, whoever wants it to stop. */
  @Tool({ inputSchema: Duration, timeoutMs: 600_000 })
  async work({ ms }: { ms: number }, context: McpContext): Promise<string> {
    context.progress(1);
    await delay(ms, undefined, { ref: false });
    return 'worked';
  }

  @Tool({ inputSchema: Duration, timeoutMs: 10_000 })
  block({ ms }: { ms: number }): string {
    const end = performance.now() + ms;
    while (performance.now() < end);
    return 'blocked';
  }

  @Tool({ inputSchema: Text, timeoutMs: 30_000 })
  async ask({ text }: { text: string }, context: McpContext): Promise<string> {
    const answer = await context.elicit({ message: text, schema: Text, timeoutMs: QUESTION_MS });
    return answer.action === 'accept' ? answer.content.text : answer.action;
  }

  @Tool({ inputSchema: z.object({ how: z.enum(['timer', 'promise']) }) })
  forget({ how }: { how: 'timer' | 'promise' }): string {
    const error = new Error('nobody awaits this');
    if (how === 'promise') void Promise.reject(error);
    else setTimeout(() => throwIt(error), 1);
    return 'answered';
  }

  @Tool()
  large(): string {
    return 'x'.repeat(50_000_000);
  }

  @Resource({ uri: 'large://text' })
  largeResource(): string {
    return 'x'.repeat(50_000_000);
  }

  /** What is in use after a full collection. */
  @Tool({ timeoutMs: 10_000 })
  usage(): object {
    globalThis.gc?.();
    const { heapUsed, external } = process.memoryUsage();
    const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    return { bytes: heapUsed + external, timers, sessions: this.notifier.sessions.length };
  }
}

function throwIt(error: Error): never {
  throw error;
}
