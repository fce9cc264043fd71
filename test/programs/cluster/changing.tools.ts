import { Injectable } from '@nestjs/common';
import { McpCatalog, Prompt, Tool, type SharedChange } from 'nestjs-mcp';
import { z } from 'zod';

const Named = z.object({ name: z.string() });

/** Tools by which a test changes what this process offers, or all of them. */
@Injectable()
export class ChangingTools {
  private readonly addEverywhere: SharedChange<{ name: string }>;

  constructor(private readonly catalog: McpCatalog) {
    // It may be made twice.
    this.addEverywhere = catalog.broadcastChange('add-tool', ({ name }: { name: string }) => {
      catalog.tools.remove(name);
      this.addTool({ name });
    });
  }

  @Prompt({ description: 'A prompt, so that there is a list of them' })
  greet(): string {
    return 'Hello';
  }

  @Tool({ description: 'Adds a tool in this process', inputSchema: Named })
  addTool({ name }: z.infer<typeof Named>): string {
    this.catalog.tools.add({ name, description: 'Came later' }, () => name);
    return name;
  }

  @Tool({ description: 'Adds a tool in every process', inputSchema: Named })
  async addToolEverywhere({ name }: z.infer<typeof Named>): Promise<string> {
    await this.addEverywhere({ name });
    return name;
  }

  @Tool({ description: 'Adds a prompt in this process', inputSchema: Named })
  addPrompt({ name }: z.infer<typeof Named>): string {
    this.catalog.prompts.add({ name, description: 'Came later' }, () => name);
    return name;
  }

  @Tool({ description: 'Adds a resource in this process', inputSchema: Named })
  addResource({ name }: z.infer<typeof Named>): string {
    this.catalog.resources.add({ name, uri: `cluster://${name}` }, () => name);
    return name;
  }
}
