import { Injectable, Module } from '@nestjs/common';
import { Context, McpModule, McpStdio, Tool, type McpContext } from 'nestjs-mcp';
import { z } from 'zod';

const Note = z.object({ text: z.string().min(1) });
const Sure = z.object({ sure: z.boolean() });

/** A server over stdio, as people run them on their own machine. */
@Injectable()
class Notes {
  readonly #notes: string[] = [];

  @Tool({ description: 'Adds a note', inputSchema: Note })
  add({ text }: z.infer<typeof Note>): string {
    this.#notes.push(text);
    return `${this.#notes.length} notes`;
  }

  @Tool({ description: 'Deletes all notes, after asking', annotations: { destructiveHint: true } })
  async clear(@Context() context: McpContext): Promise<string> {
    const answer = await context.elicit({ message: `Delete ${this.#notes.length} notes?`, schema: Sure });
    if (answer.action !== 'accept' || !answer.content.sure) return 'Nothing is deleted';
    this.#notes.length = 0;
    return 'All notes are deleted';
  }
}

@Module({
  imports: [McpModule.forRoot({ serverInfo: { name: 'notes', version: '1.0.0' } })],
  providers: [Notes],
})
class NotesModule {}

await McpStdio.run(NotesModule, { nest: { logger: ['warn', 'error', 'fatal'] } });
