import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, type OnApplicationBootstrap, type Provider, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  McpCatalog,
  McpExtensions,
  McpModule,
  Prompt,
  Resource,
  ResourceTemplate,
  Tool,
  type McpModuleExtras,
  type McpOptions,
} from 'nestjs-mcp';
import { ADAPTERS, bootApp, type RunningApp } from '../../support/applications/boot.js';
import { RecordedLog } from '../../support/records/recorded-log.js';

@Injectable()
class DiceTools {
  @Tool()
  roll(): string {
    return 'four';
  }

  @Resource({ uri: 'dice://rules' })
  readRules(): string {
    return 'six sides';
  }

  @Resource({ uri: 'dice://scores' })
  readScores(): string {
    return 'none';
  }

  @ResourceTemplate({ uriTemplate: 'dice://throws/{id}' })
  readThrow(): string {
    return 'four';
  }

  @Prompt()
  explain(): string {
    return 'Explain the rules';
  }
}

@Injectable()
class LateTools implements OnApplicationBootstrap {
  constructor(private readonly catalog: McpCatalog) {}

  async onApplicationBootstrap(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.catalog.tools.add({ name: 'late' }, () => 'late');
  }
}

@Injectable()
class Reports {
  constructor(extensions: McpExtensions) {
    extensions.register({
      id: 'com.example/reports',
      specVersion: '1',
      stability: 'experimental',
      methods: [{ method: 'reports/list', handle: () => ({}) }],
    });
  }
}

const serverInfo = { name: 'dice', version: '1.0.0' };

describe.each(ADAPTERS)('What a server says when it starts, on %s', (adapter) => {
  let app: RunningApp | undefined;
  let log: RecordedLog;

  beforeEach(() => {
    log = new RecordedLog();
  });

  afterEach(() => app?.close());

  async function boot(providers: Provider[], ...servers: readonly (Partial<McpOptions> & McpModuleExtras)[]) {
    app = await bootApp({
      adapter,
      imports: servers.map((options) => McpModule.forRoot({ serverInfo, ...options })),
      providers,
      nest: { logger: log },
    });
  }

  /** Nest gives who writes behind what is written. */
  const find = (level: 'log' | 'warn') => log.find(level).filter((text) => text.endsWith(' Mcp'));

  it('is how much it offers, and where (MOD-01)', async () => {
    await boot([DiceTools], { server: 'dice' });
    expect(find('log')).toEqual([
      'Server "dice": 1 tool, 2 resources, 1 resource template, 1 prompt at /mcp Mcp',
    ]);
    expect(find('warn')).toEqual([]);
  });

  it('counts what the application adds while it starts, and names each path (MOD-01)', async () => {
    await boot([LateTools], { mcpPath: '/dice', sse: true });
    expect(find('log')).toEqual(['Server "default": 1 tool at /dice and /sse Mcp']);
    expect(find('warn')).toEqual([]);
  });

  it('is a warning where it serves nothing (MOD-01)', async () => {
    await boot([], {});
    expect(find('log')).toEqual([]);
    expect(find('warn')).toEqual([
      'Server "default" serves nothing: list the classes with @Tool() in "providers" Mcp',
    ]);
  });

  it('is said by each of several servers; handlers of other ones need an assignment (MOD-01) (MOD-05)', async () => {
    await boot([DiceTools], {}, { server: 'admin', mcpPath: '/admin' });
    expect(find('log')).toHaveLength(1);
    expect(find('warn')).toEqual([
      'Server "admin" serves nothing: list the classes with @Tool() in "providers", and in "McpModule.forFeature" unless they belong to the default server Mcp',
    ]);
  });

  it('is no warning where an extension is served (MOD-01)', async () => {
    await boot([Reports], {});
    expect(find('log')).toEqual(['Server "default": extension methods at /mcp Mcp']);
    expect(find('warn')).toEqual([]);
  });
});

describe('What a server says when it starts, in a command', () => {
  it('is nothing: it serves nobody (MOD-01)', async () => {
    const log = new RecordedLog();
    const module: Type = class AppModule {};
    const root = { module, imports: [McpModule.forRoot({ serverInfo })] };
    const context = await NestFactory.createApplicationContext(root, { logger: log });
    await context.close();
    expect(log.lines.filter(({ text }) => text.endsWith(' Mcp'))).toEqual([]);
  });
});
