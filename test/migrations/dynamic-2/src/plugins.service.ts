import { Inject, Injectable, OnModuleInit } from '@nestjs/common';
import { MCP_STRATEGY, McpStrategy } from '@rekog/mcp-nest';
import { z } from 'zod';

const collections = [{ name: 'novels' }, { name: 'poems' }];

@Injectable()
export class PluginsService implements OnModuleInit {
  constructor(@Inject(MCP_STRATEGY) private readonly strategy: McpStrategy) {}

  onModuleInit() {
    this.strategy.registerTool({
      name: 'search-collection',
      description: `Searches ${collections.map((one) => one.name).join(', ')}`,
      parameters: z.object({
        query: z.string(),
        collection: z.enum(collections.map((one) => one.name) as [string, ...string[]]).optional(),
      }),
      handler: async (args) => {
        return { content: [{ type: 'text', text: `${args.query} in ${args.collection ?? 'all'}` }] };
      },
    });
    this.strategy.registerTool({
      name: 'statistics',
      description: 'Counts the books',
      isPublic: true,
      handler: async () => ({ content: [{ type: 'text', text: '12' }] }),
    });
    this.strategy.registerTool({
      name: 'publish',
      description: 'Publishes a book',
      requiredScopes: ['catalog:write', 'admin'],
      requiredScopesMatch: 'any',
      requiredRoles: ['editor'],
      handler: async (args, context, request) => {
        const user = request?.user;
        return { content: [{ type: 'text', text: `Published by ${user?.name}` }] };
      },
    });
    this.strategy.registerTool({
      name: 'tenant',
      description: 'Tells for whom this runs',
      handler: async (_args, _context, request) => ({
        content: [{ type: 'text', text: String(request?.headers['x-tenant'] ?? 'nobody') }],
      }),
    });
    this.strategy.registerResource({
      uri: 'catalog://rules',
      name: 'rules',
      description: 'How to catalog',
      mimeType: 'text/plain',
      handler: async () => ({
        contents: [{ uri: 'catalog://rules', mimeType: 'text/plain', text: 'By title' }],
      }),
    });
    this.strategy.registerPrompt({
      name: 'summarize',
      description: 'Summarizes a book',
      parameters: z.object({ title: z.string(), style: z.enum(['brief', 'detailed']).optional() }),
      handler: async (args) => ({
        description: 'A summary',
        messages: [
          {
            role: 'user',
            content: { type: 'text', text: `Summarize ${args?.title} in ${args?.style ?? 'brief'} style` },
          },
        ],
      }),
    });
    this.strategy.registerTool({
      name: 'gone',
      description: 'Is removed at once',
      handler: async () => ({ content: [] }),
    });
    this.strategy.removeTool('gone');
  }
}
