import { Module, type DynamicModule } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { BoardTools } from './board/board.tools.js';
import { Tickets } from './board/tickets.js';

/** Tokens of one user, who allowed a host to read first, and to write when it asked. */
export interface Tokens {
  readonly reading: string;
  readonly writing: string;
}

@Module({})
export class BoardModule {
  static with({ reading, writing }: Tokens): DynamicModule {
    const mcp = McpModule.forRoot({
      serverInfo: { name: 'board', title: 'Board', version: '1.0.0' },
      auth: {
        bearer: [
          { token: reading, subject: 'ada', scopes: ['board:read'] },
          { token: writing, subject: 'ada', scopes: ['board:read', 'board:write'] },
        ],
        requiredScopes: ['board:read'],
      },
      // Where `ui: 'board.html'` is looked for; `watch` reads it again when you save it.
      apps: { directory: 'sample/07-app/pages', watch: true },
    });
    return { module: BoardModule, imports: [mcp], providers: [Tickets, BoardTools] };
  }
}
