import { describe, expect, it } from '@jest/globals';
import { migrateSource } from './migrate-files.js';

describe('Handlers that are added', () => {
  it('come behind their options', async () => {
    const migrated = await migrateSource(`import { Injectable } from '@nestjs/common';
import { McpRegistryService } from '@rekog/mcp-nest';

@Injectable()
export class Clock {
  constructor(private readonly registry: McpRegistryService) {}

  start() {
    this.registry.registerTool({
      name: 'now',
      description: 'Tells the time',
      parameters: Zone,
      handler: async (args, context) => {
        await context.log.info('now');
        return now(args);
      },
    });
    this.registry.registerPrompt({ name: 'p', handler: ask, description: 'Asks', parameters: Zone });
    this.registry.removeResource('clock://now');
    this.other.registerTool({ name: 'untouched' });
  }
}
`);
    expect(migrated).toContain(`import { McpCatalog } from 'nestjs-mcp';`);
    expect(migrated).toContain('constructor(private readonly registry: McpCatalog) {}');
    expect(migrated).toContain(`    this.registry.tools.add({
      name: 'now',
      description: 'Tells the time',
      inputSchema: Zone,
    }, async (args: Record<string, any>, context) => {
        await context.log('info', { message: 'now' });`);
    expect(migrated).toContain(
      `this.registry.prompts.add({ name: 'p', description: 'Asks', arguments: Zone }, ask);`,
    );
    expect(migrated).toContain(`this.registry.resources.remove('clock://now');`);
    expect(migrated).toContain(`this.other.registerTool({ name: 'untouched' });`);
  });

  it('have methods made functions and requests made constants, and roles left to a person if no server is here', async () => {
    const migrated = await migrateSource(`import { Inject } from '@nestjs/common';
import { MCP_STRATEGY, McpStrategy } from '@rekog/mcp-nest';
export class Clock {
  constructor(@Inject(MCP_STRATEGY) private readonly mcp: McpStrategy) {
    this.mcp.registerTool({
      name: 'now',
      requiredScopes: ['clock'],
      requiredRoles: ['admin'],
      async handler(args, context, request) { return request.ip; },
    });
  }
}
`);
    expect(migrated).toContain('constructor(private readonly mcp: McpCatalog) {');
    expect(migrated).toContain(
      'async (args: Record<string, any>, context) => { const request = context.http?.request as any; return request.ip; });',
    );
    expect(migrated).toMatch(
      /TODO\(nestjs-mcp\): Roles are not supported here.*#roles\n {6}requiredRoles: \['admin'\],/,
    );
    expect(migrated).toContain(`requiredScopes: ['clock'],`);
  });

  it('leave what is spread into their options to a person', async () => {
    const migrated = await migrateSource(`import { McpRegistryService } from '@rekog/mcp-nest';
export function start(registry: McpRegistryService) {
  registry.registerTool({
    ...shared,
    name: 'now',
    handler,
  });
}
`);
    expect(migrated).toMatch(
      /\n {4}\/\/ TODO\(nestjs-mcp\): .*#options-of-the-decorators\n {4}\.\.\.shared,/,
    );
    expect(migrated).toContain('}, handler);');
  });

  it.each([
    ['requiredScopesMatch', '"requiredScopes" requires all of its scopes'],
    ['requiredRolesMatch', 'Roles are not supported here'],
  ])('leave "%s" to a person, unless it asks for all', async (name, decision) => {
    const source = (match: string) => `import { McpRegistryService } from '@rekog/mcp-nest';
export function start(registry: McpRegistryService) {
  registry.registerTool({
    name: 'now',
    ${name}: ${match},
    handler,
  });
}
`;
    expect(await migrateSource(source("'any'"))).toMatch(
      new RegExp(`TODO\\(nestjs-mcp\\): ${decision}.*\\n {4}${name}: 'any',`),
    );
    expect(await migrateSource(source("'all'"))).toContain(`tools.add({\n    name: 'now',\n  }, handler);`);
  });
});
