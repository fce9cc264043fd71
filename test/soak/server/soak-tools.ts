import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { RequireScope, Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import { SoakBoards } from './soak-boards.js';

const Text = z.object({ text: z.string().min(1).max(1000) });
const Work = z.object({ ms: z.number().int().min(0).max(60_000) });
const STEPS = 3;
const FLOOD_PIECES = 200;
const FLOOD_PIECE = 'x'.repeat(65_536);

@Injectable()
export class SoakTools {
  constructor(private readonly boards: SoakBoards) {}

  @Tool({ inputSchema: Text })
  echo({ text }: z.infer<typeof Text>): string {
    return text;
  }

  @Tool({ inputSchema: Text })
  async steps({ text }: z.infer<typeof Text>, context: McpContext): Promise<string> {
    for (let step = 1; step <= STEPS; step += 1) {
      context.progress(step, STEPS, `step ${step}`);
      await pause(20, undefined, { signal: context.signal });
    }
    return text;
  }

  @Tool({ inputSchema: Text })
  async ask({ text }: z.infer<typeof Text>, context: McpContext): Promise<string> {
    const answer = await context.elicit({ message: text, schema: Text });
    return answer.action === 'accept' ? answer.content.text : answer.action;
  }

  @Tool()
  async wait(_arguments: object, context: McpContext): Promise<string> {
    context.progress(1);
    await pause(600_000, undefined, { signal: context.signal });
    return 'nobody cancelled';
  }

  /** Never heeds that it is cancelled, and is over at last. */
  @Tool()
  async stubborn(_arguments: object, context: McpContext): Promise<string> {
    context.progress(1);
    await pause(1000);
    return 'late';
  }

  /** Lets its client go, which comes back for the result. */
  @Tool({ inputSchema: Text })
  async release({ text }: z.infer<typeof Text>, context: McpContext): Promise<string> {
    context.releaseConnection(50);
    await pause(100, undefined, { signal: context.signal });
    return text;
  }

  /** Writes faster than a client reads that does not. */
  @Tool()
  async flood(_arguments: object, context: McpContext): Promise<string> {
    for (let piece = 1; piece <= FLOOD_PIECES; piece += 1) {
      context.progress(piece, FLOOD_PIECES, FLOOD_PIECE);
      await turn();
    }
    return 'flooded';
  }

  @Tool()
  fail(): never {
    throw new Error('A handler that throws what nobody expects');
  }

  @Tool()
  @RequireScope('soak:admin')
  administer(): string {
    return 'administered';
  }

  @Tool({ inputSchema: Work, task: 'optional' })
  async work({ ms }: z.infer<typeof Work>, context: McpContext): Promise<string> {
    context.task?.setStatusMessage('at work');
    context.progress(1, 2);
    await pause(ms, undefined, { signal: context.signal });
    return `worked ${ms}`;
  }

  /** Tells everybody of something. */
  @Tool()
  announce(): string {
    this.boards.change();
    return 'announced';
  }
}
