import { Injectable } from '@nestjs/common';
import { Resource, Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import { WaitingTools } from './waiting-tools.js';

const TEXT = z.object({ text: z.string() });

/** Offers what every transport has to carry: an answer, a question, a resource, and calls that wait. */
@Injectable()
export class WireTools extends WaitingTools {
  @Tool({ description: 'Says what it is told', inputSchema: TEXT })
  echo({ text }: z.infer<typeof TEXT>): string {
    return text;
  }

  @Tool({ description: 'Asks for a word', inputSchema: TEXT })
  async ask({ text }: z.infer<typeof TEXT>, context: McpContext): Promise<string> {
    const answer = await context.elicit({ message: text, schema: TEXT });
    return answer.action === 'accept' ? answer.content.text : answer.action;
  }

  @Resource({ uri: 'desk://note', description: 'A note' })
  note(): string {
    return 'a note';
  }
}
