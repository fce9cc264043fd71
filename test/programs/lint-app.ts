import 'reflect-metadata';
import { Injectable, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { McpCatalog, McpModule, Prompt, RequireScope, Resource, Tool } from 'nestjs-mcp';
import { z } from 'zod';

const serverInfo = { name: 'desk', version: '1.0.0' };
const auth = {
  resourceUri: 'https://desk.example.com/mcp',
  bearer: 'a-fixed-token-of-the-tests',
  requiredScopes: ['desk'],
  filterLists: true,
};

const Words = z.object({ words: z.string().describe('What to look for, such as "printer jam"') });

@Injectable()
class Desk implements OnApplicationBootstrap {
  constructor(private readonly catalog: McpCatalog) {}

  onApplicationBootstrap(): void {
    this.catalog.tools.add({ name: 'added.later' }, () => 'added');
  }

  @Tool({ name: 'find_tickets', description: 'Finds tickets by words of their text', inputSchema: Words })
  find() {
    return 'none';
  }

  @Tool({ name: 'close_ticket' })
  close() {
    return 'closed';
  }

  @Prompt({ name: 'triage' })
  triage() {
    return 'Sort this ticket';
  }

  @Resource({ uri: 'desk://rules', name: 'rules' })
  rules() {
    return 'Be kind';
  }
}

@Injectable()
class Vault {
  @RequireScope('vault')
  @Tool({ name: 'open_vault' })
  open() {
    return 'open';
  }

  @Tool({ name: 'ring_bell' })
  ring() {
    return 'rung';
  }
}

@Module({ imports: [McpModule.forRoot({ serverInfo })], providers: [Desk] })
export class AppModule {}

@Module({
  imports: [McpModule.forRoot({ serverInfo, auth })],
  providers: [Vault],
})
export class ProtectedModule {}

@Module({
  imports: [
    McpModule.forRoot({ serverInfo }),
    McpModule.forRoot({ serverInfo, server: 'staff', mcpPath: '/staff' }),
  ],
})
export class TwoModule {}

@Injectable()
class Late implements OnApplicationBootstrap {
  onApplicationBootstrap(): Promise<void> {
    return Promise.reject(new Error('The database is not there'));
  }
}

@Module({ imports: [McpModule.forRoot({ serverInfo })], providers: [Late] })
export class FailingModule {}
