import { Injectable } from '@nestjs/common';
import {
  Complete,
  McpCatalog,
  McpModule,
  McpNotifier,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
  type ContentBlock,
  type McpContext,
} from 'nestjs-mcp';
import { z } from 'zod';
import { bootApp, type AdapterName, type RunningApp } from '../../support/applications/boot.js';

const AUTHORS = ['Ada', 'Alan', 'Barbara', 'Grace'];
export const COVER = Buffer.from([0x89, 0x50, 0x4e, 0x47]);

/** The tools of a library: five, so that a page size of two makes three pages. */
@Injectable()
export class LibraryTools {
  waiting = 0;
  aborted = 0;

  @Tool({
    description: 'Counts the books of an author',
    inputSchema: z.object({ author: z.string() }),
    outputSchema: z.object({ author: z.string(), books: z.int() }),
    annotations: { readOnlyHint: true },
  })
  countBooks({ author }: { author: string }) {
    return { author, books: author.length };
  }

  @Tool({ description: 'Takes stock, shelf by shelf', inputSchema: z.object({ shelves: z.int() }) })
  takeStock({ shelves }: { shelves: number }, context: McpContext): string {
    for (let shelf = 1; shelf <= shelves; shelf += 1) context.progress(shelf, shelves, `shelf ${shelf}`);
    return `Took stock of ${shelves} shelves`;
  }

  @Tool({ description: 'Shows a book in every kind of content' })
  showBook(): ContentBlock[] {
    const resource = { uri: 'book://1', mimeType: 'text/plain', text: 'Once upon a time' };
    return [
      { type: 'text', text: 'A book' },
      { type: 'image', data: COVER.toString('base64'), mimeType: 'image/png' },
      { type: 'audio', data: COVER.toString('base64'), mimeType: 'audio/wav' },
      { type: 'resource', resource },
      { type: 'resource_link', uri: 'book://1', name: 'book-1' },
    ];
  }

  @Tool({ description: 'Complains at three levels' })
  complain(_arguments: object, context: McpContext): string {
    context.log('debug', 'a page is folded');
    context.log('warning', { missing: 'page 12' }, 'shelf');
    context.log('error', 'a book is lost');
    return 'Complained';
  }

  @Tool({ description: 'Waits until the call is aborted' })
  waitForEver(_arguments: object, { signal }: McpContext): Promise<never> {
    this.waiting += 1;
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        this.aborted += 1;
        reject(new Error('aborted'));
      });
    });
  }
}

/** Books as resources, and a prompt on an author. */
@Injectable()
export class LibraryContents {
  @Resource({ uri: 'book://catalog', mimeType: 'application/json', description: 'All authors' })
  catalog() {
    return { authors: AUTHORS };
  }

  @Resource({ uri: 'book://cover', mimeType: 'image/png', description: 'A cover' })
  cover(): Buffer {
    return COVER;
  }

  @ResourceTemplate({ uriTemplate: 'author://{name}', mimeType: 'text/plain', description: 'An author' })
  author({ name }: { name: string }): string {
    return `Books by ${name}`;
  }

  @Prompt({ description: 'Asks for a review', arguments: [{ name: 'author', required: true }] })
  review({ author }: { author: string }): string {
    return `Review the books of ${author}`;
  }

  @Complete({ prompt: 'review', argument: 'author' })
  completePrompt({ value }: { value: string }): string[] {
    return AUTHORS.filter((author) => author.startsWith(value));
  }

  @Complete({ resourceTemplate: 'author://{name}', argument: 'name' })
  completeTemplate({ value }: { value: string }): string[] {
    return AUTHORS.filter((author) => author.startsWith(value)).map((author) => author.toLowerCase());
  }
}

/** A running library, with what its tests drive from the server's side. */
export interface RunningLibrary extends RunningApp {
  readonly tools: LibraryTools;
  readonly catalog: McpCatalog;
  readonly notifier: McpNotifier;
}

/** Starts the library with two entries on each page of a list. */
export async function bootLibrary(adapter: AdapterName): Promise<RunningLibrary> {
  const running = await bootApp({
    adapter,
    imports: [
      McpModule.forRoot({
        serverInfo: { name: 'library', version: '1.0.0' },
        instructions: 'Ask for authors',
        pageSize: 2,
      }),
    ],
    providers: [LibraryTools, LibraryContents],
  });
  const { app } = running;
  return {
    ...running,
    tools: app.get(LibraryTools),
    catalog: app.get(McpCatalog, { strict: false }),
    notifier: app.get(McpNotifier, { strict: false }),
  };
}
