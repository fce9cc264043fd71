import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { trace } from '@opentelemetry/api';
import { Tool, ToolError, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';

const TICKETS = ['The printer is on fire', 'The coffee is cold'];

@Injectable()
export class DeskTools {
  /** What a handler does in spans of its own stands below the call, such as what an instrumentation of a database records. */
  @Tool({ description: 'Finds tickets by a word', inputSchema: z.object({ word: z.string() }) })
  async find({ word }: { word: string }): Promise<string> {
    return trace.getTracer('desk').startActiveSpan('SELECT tickets', async (span) => {
      await delay(5);
      span.end();
      return TICKETS.filter((ticket) => ticket.toLowerCase().includes(word)).join('\n') || 'Nothing';
    });
  }

  @Tool({ description: 'Closes a ticket, once the user agrees' })
  async close(_arguments: object, context: McpContext): Promise<string> {
    const answer = await context.elicit({
      key: 'sure',
      message: 'Shall the ticket be closed?',
      schema: z.object({ sure: z.boolean() }),
    });
    return answer.action === 'accept' && answer.content.sure ? 'It is closed' : 'It stays open';
  }

  @Tool({ description: 'Opens a ticket, outside of opening hours' })
  open(): never {
    throw new ToolError('The desk is closed');
  }
}
