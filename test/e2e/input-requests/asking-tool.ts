import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { NAME } from './wordings.js';

/** The arguments of a tool whose calls are told apart by a mark. */
export const MARKED = {
  type: 'object',
  properties: { mark: { type: 'string' } },
  required: ['mark'],
} as const;

/** Offers a tool that asks the user one question, and notes how it ends if nobody answers. */
@Injectable()
export class AskingTool {
  /** What questions failed with, by the mark of their call. */
  readonly ends: Record<string, unknown> = {};

  @Tool({ description: 'Asks one question', inputSchema: MARKED })
  ask({ mark }: { mark: string }, context: McpContext): Promise<string> {
    return this.noteEnd(mark, context.elicit(NAME));
  }

  protected async noteEnd(mark: string, question: Promise<unknown>): Promise<string> {
    try {
      return JSON.stringify(await question);
    } catch (error) {
      this.ends[mark] = error;
      throw error;
    }
  }
}
