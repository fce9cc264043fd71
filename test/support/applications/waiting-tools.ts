import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import { Gates } from './gate.js';

const GATE = z.object({ gate: z.string() });

/** Offers tools that wait at the gate which their caller names, until the test opens it. */
@Injectable()
export class WaitingTools {
  readonly gates = new Gates();
  /** The gates at which `wait` was told that its call is over. */
  readonly aborted: string[] = [];

  @Tool({ description: 'Reports, and waits until its call is over', inputSchema: GATE })
  async wait({ gate }: z.infer<typeof GATE>, context: McpContext): Promise<string> {
    context.signal.addEventListener('abort', () => this.aborted.push(gate));
    context.progress(1, 2, 'half');
    await this.gates.at(gate).pass(context.signal);
    return gate;
  }

  @Tool({ description: 'Waits, though its call is over', inputSchema: GATE })
  async ignore({ gate }: z.infer<typeof GATE>): Promise<string> {
    await this.gates.at(gate).pass();
    return gate;
  }
}
