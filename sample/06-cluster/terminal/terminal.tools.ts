import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { McpNotifier, Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import { PROCESS_NAME } from './process-name.js';

const Announcement = z.object({ number: z.int(), text: z.string() });
const Crossing = z.object({ seconds: z.number().positive().max(600) });
const Class = z.object({ class: z.enum(['deck', 'cabin']).describe('Where you want to sit') });

/** A ferry terminal. Nothing here knows that there are other processes. */
@Injectable()
export class TerminalTools {
  constructor(private readonly notifier: McpNotifier) {}

  @Tool({ description: 'Announces something to everybody who listens', inputSchema: Announcement })
  announce(announcement: z.infer<typeof Announcement>): string {
    this.notifier.log('info', announcement);
    return `announced at ${PROCESS_NAME}`;
  }

  @Tool({ description: 'Books a ticket for the next ferry, and asks for the class' })
  async book(_arguments: object, context: McpContext): Promise<string> {
    const answer = await context.elicit({ key: 'class', message: 'Deck or cabin?', schema: Class });
    if (answer.action !== 'accept') return 'Nothing was booked';
    return `a ${answer.content.class} ticket, booked at ${PROCESS_NAME}`;
  }

  @Tool({ description: 'Crosses the harbour, and says how far it is', inputSchema: Crossing })
  async cross({ seconds }: z.infer<typeof Crossing>, context: McpContext): Promise<string> {
    context.progress(0, 1, `cast off at ${PROCESS_NAME}`);
    await pause(seconds * 1000, undefined, { signal: context.signal });
    return `landed at ${PROCESS_NAME}`;
  }
}
