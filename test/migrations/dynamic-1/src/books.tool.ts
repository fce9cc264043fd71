import { Injectable } from '@nestjs/common';
import { Tool } from '@rekog/mcp-nest';
import { z } from 'zod';

@Injectable()
export class BooksTool {
  @Tool({
    name: 'find-book',
    description: 'Finds a book',
    parameters: z.object({ title: z.string() }),
  })
  findBook({ title }: { title: string }) {
    return { content: [{ type: 'text', text: `${title} is on shelf 3` }] };
  }
}
