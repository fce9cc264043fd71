import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import { print } from './calling.tools.js';

const Job = z.object({ name: z.string(), ms: z.int().default(0) });
const Word = z.object({ word: z.string() });

/** Tools that run as tasks. Each says which process it was. */
@Injectable()
export class WorkingTools {
  @Tool({ description: 'Works', inputSchema: Job, task: 'optional', pollIntervalMs: 20 })
  async job({ name, ms }: z.infer<typeof Job>, { signal }: McpContext): Promise<string> {
    print(`begun ${name}.`);
    signal.addEventListener('abort', () => print(`stopped ${name}.`));
    await delay(ms, undefined, { signal });
    return `${name} at ${process.pid}`;
  }

  @Tool({ description: 'Asks for a word', task: 'optional', pollIntervalMs: 20 })
  async askAtWork(_arguments: object, context: McpContext): Promise<string> {
    const answer = await context.elicit({ key: 'word', message: 'Which word?', schema: Word });
    return `${answer.action === 'accept' ? answer.content.word : answer.action} at ${process.pid}`;
  }
}
