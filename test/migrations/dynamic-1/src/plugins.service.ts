import { Injectable, OnModuleInit } from '@nestjs/common';
import { McpRegistryService } from '@rekog/mcp-nest';
import { z } from 'zod';
import { SettingsService } from './settings.service';

@Injectable()
export class PluginsService implements OnModuleInit {
  constructor(
    private readonly registry: McpRegistryService,
    private readonly settings: SettingsService,
  ) {}

  async onModuleInit() {
    const collections = await this.loadCollections();
    this.registry.registerTool({
      name: 'search-collection',
      description: `Searches one of ${collections.join(', ')}`,
      parameters: z.object({
        query: z.string(),
        collection: z.enum(collections as [string, ...string[]]).optional(),
        limit: z.number().default(10),
      }),
      annotations: { readOnlyHint: true, title: 'Search' },
      handler: async (args) => {
        const results = this.search(args.query as string, args.limit as number);
        return { content: [{ type: 'text', text: JSON.stringify(results) }] };
      },
    });
    this.registry.registerTool({
      name: 'statistics',
      description: 'Counts the books',
      outputSchema: z.object({ books: z.number() }),
      isPublic: true,
      handler: () => ({ books: 12 }),
    });
    this.registry.registerTool({
      name: 'publish',
      description: 'Publishes a book',
      parameters: z.object({ title: z.string() }),
      requiredScopes: ['catalog:read'],
      requiredRoles: ['editor'],
      handler: async (args, context, request) => {
        await context.reportProgress({ progress: 1, total: 1 });
        return { content: [{ type: 'text', text: `${args.title} by ${request.user.name}` }] };
      },
    });
    this.registry.registerTool({
      name: 'unpublish',
      description: 'Takes a book back',
      requiredScopes: ['catalog:write'],
      handler: async () => ({ content: [{ type: 'text', text: 'gone' }] }),
    });
    this.registry.registerResource({
      uri: 'catalog://rules',
      name: 'rules',
      description: 'How to catalog',
      mimeType: 'text/plain',
      handler: async (params) => ({
        contents: [{ uri: params.uri as string, mimeType: 'text/plain', text: 'Sort by title' }],
      }),
    });
    this.registry.registerPrompt({
      name: 'summarize',
      description: 'Summarizes a book',
      parameters: z.object({ title: z.string(), style: z.string().optional() }),
      handler: async (args) => ({
        description: 'A summary',
        messages: [
          {
            role: 'user',
            content: { type: 'text', text: `Summarize ${args?.title}, ${args?.style ?? 'briefly'}` },
          },
        ],
      }),
    });
    this.registry.registerTool({
      name: 'old-tool',
      description: 'Is not served',
      handler: async () => ({ content: [] }),
    });
    this.registry.removeTool('old-tool');
  }

  private loadCollections(): Promise<string[]> {
    return Promise.resolve(this.settings.get('COLLECTIONS', 'novels,poems').split(','));
  }

  private search(query: string, limit: number) {
    return [`${query} 1`, `${query} 2`].slice(0, limit);
  }
}
