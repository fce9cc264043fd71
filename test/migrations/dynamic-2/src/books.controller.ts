import { Payload } from '@nestjs/microservices';
import { McpController, Tool } from '@rekog/mcp-nest';
import { z } from 'zod';

@McpController()
export class BooksController {
  @Tool({ name: 'find-book', description: 'Finds a book', parameters: z.object({ title: z.string() }) })
  findBook(@Payload() { title }: { title: string }) {
    return { content: [{ type: 'text', text: `${title} is on shelf 3` }] };
  }
}
