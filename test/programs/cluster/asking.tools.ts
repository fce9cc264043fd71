import { Injectable } from '@nestjs/common';
import { Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';
import { print } from './calling.tools.js';

const Word = z.object({ word: z.string() });
const Steps = z.object({ count: z.int() });

/** Tools that ask the client. Each says which process it was. */
@Injectable()
export class AskingTools {
  @Tool({ description: 'Asks the user for a word' })
  async ask(_arguments: object, context: McpContext): Promise<string> {
    const answer = await context.elicit({ key: 'word', message: 'Which word?', schema: Word });
    const word = answer.action === 'accept' ? answer.content.word : answer.action;
    return `${word} at ${process.pid}`;
  }

  @Tool({ description: 'Asks the model for a word' })
  async sample(_arguments: object, context: McpContext): Promise<string> {
    const { content } = await context.sample({
      messages: [{ role: 'user', content: { type: 'text', text: 'Which word?' } }],
      maxTokens: 10,
    });
    const [block] = [content].flat();
    return `${block?.type === 'text' ? block.text : 'nothing'} at ${process.pid}`;
  }

  @Tool({ description: 'Lists the roots of the client' })
  async listRoots(_arguments: object, context: McpContext): Promise<string> {
    const roots = await context.listRoots();
    return `${roots.map(({ uri }) => uri).join(' ')} at ${process.pid}`;
  }

  @Tool({ description: 'Reports each step, and asks the user before it ends', inputSchema: Steps })
  async stepsAndAsks({ count }: z.infer<typeof Steps>, context: McpContext): Promise<string> {
    for (let step = 1; step <= count; step += 1) context.progress(step, count);
    return this.ask({}, context);
  }

  @Tool({ description: 'Asks the user, and prints how far the client says it is' })
  async askPatiently(_arguments: object, context: McpContext): Promise<string> {
    const answer = await context.elicit({
      message: 'Which word?',
      schema: Word,
      onProgress: ({ progress }) => print(`client at ${progress}`),
    });
    return answer.action;
  }
}
