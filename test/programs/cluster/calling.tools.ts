import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { McpNotifier, Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';

const Steps = z.object({ count: z.int() });
const Named = z.object({ name: z.string() });
const Pause = z.object({ ms: z.int(), name: z.string().default('') });

/** Prints what happens in this process, for tests that wait for it. */
export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Tools whose calls need no other process, and what a test has to know of this one. */
@Injectable()
export class CallingTools {
  constructor(private readonly notifier: McpNotifier) {}

  @Tool({ description: 'Says which process this is' })
  where(): string {
    return String(process.pid);
  }

  @Tool({ description: 'Reports and logs each step', inputSchema: Steps })
  steps({ count }: z.infer<typeof Steps>, context: McpContext): string {
    for (let step = 1; step <= count; step += 1) {
      context.progress(step, count);
      context.log('info', { step });
    }
    return String(process.pid);
  }

  @Tool({ description: 'Works for a while', inputSchema: Pause })
  async work({ ms, name }: z.infer<typeof Pause>, { signal }: McpContext): Promise<string> {
    print(`working ${name}`);
    await delay(ms, undefined, { signal });
    return `worked ${name} at ${process.pid}`;
  }

  @Tool({ description: 'Holds until its call is aborted', inputSchema: Named })
  async hold({ name }: z.infer<typeof Named>, context: McpContext): Promise<string> {
    const aborted = new Promise((resolve) => context.signal.addEventListener('abort', resolve));
    context.progress(1, 2, name);
    print(`holding ${name}.`);
    await aborted;
    print(`aborted ${name}.`);
    return name;
  }

  @Tool({ description: 'Lets its connection go, and works on', inputSchema: Pause })
  async letGo({ ms, name }: z.infer<typeof Pause>, context: McpContext): Promise<string> {
    context.releaseConnection(50);
    await delay(ms, undefined, { signal: context.signal });
    return `let go ${name} at ${process.pid}`;
  }

  @Tool({ description: 'Says what this process holds' })
  figures(): string {
    globalThis.gc?.();
    const { heapUsed, external, rss } = process.memoryUsage();
    const { length: sessions } = this.notifier.sessions;
    return JSON.stringify({ heapBytes: heapUsed + external, rssBytes: rss, sessions });
  }
}
