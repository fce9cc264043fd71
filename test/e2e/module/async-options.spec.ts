import { describe, expect, it } from '@jest/globals';
import { Injectable, Module, type DynamicModule } from '@nestjs/common';
import { McpModule, type McpOptions, type McpOptionsFactory } from 'nestjs-mcp';
import { ADAPTERS, bootApp } from '../../support/applications/boot.js';
import { GreetingTool } from '../../support/applications/greeting-tool.js';
import { bootFailure } from '../../support/applications/boot-failure.js';
import { initialize, perRequest } from '../../support/clients/json-rpc.js';

@Injectable()
class DeskConfig {
  readonly name = 'configured desk';
  readonly path = '/configured';
}

@Module({ providers: [DeskConfig], exports: [DeskConfig] })
class ConfigModule {}

@Injectable()
class DeskOptions implements McpOptionsFactory {
  constructor(private readonly config: DeskConfig) {}

  async createMcpOptions(): Promise<McpOptions> {
    await Promise.resolve();
    return buildOptions(this.config);
  }
}

@Module({ imports: [ConfigModule], providers: [DeskOptions], exports: [DeskOptions] })
class OptionsModule {}

function buildOptions({ name, path }: DeskConfig): McpOptions {
  return { serverInfo: { name, version: '1.0.0' }, mcpPath: path };
}

const WAYS: Readonly<Record<string, () => DynamicModule>> = {
  useFactory: () =>
    McpModule.forRootAsync({ imports: [ConfigModule], inject: [DeskConfig], useFactory: buildOptions }),
  'useFactory with a promise': () =>
    McpModule.forRootAsync({
      imports: [ConfigModule],
      inject: [DeskConfig],
      useFactory: async (config: DeskConfig) => {
        await new Promise((resolve) => setImmediate(resolve));
        return buildOptions(config);
      },
    }),
  useClass: () => McpModule.forRootAsync({ imports: [ConfigModule], useClass: DeskOptions }),
  useExisting: () => McpModule.forRootAsync({ imports: [OptionsModule], useExisting: DeskOptions }),
};

describe.each(ADAPTERS)('McpModule.forRootAsync on %s', (adapter) => {
  it.each(Object.keys(WAYS))('takes its options by %s (MOD-02)', async (way) => {
    const desk = await bootApp({
      adapter,
      path: '/configured',
      imports: [WAYS[way]!()],
      providers: [GreetingTool],
    });
    const session = await initialize(desk.url);
    expect(session.result['serverInfo']).toEqual({ name: 'configured desk', version: '1.0.0' });
    const { result } = await session.request('tools/call', { name: 'greet' });
    expect(result?.['content']).toEqual([{ type: 'text', text: 'hello' }]);
    expect((await perRequest(`${desk.origin}/mcp`).request('tools/list')).status).toBe(404);
    await desk.close();
  });

  it('fails at start-up where its options are wrong (MOD-02, MOD-11)', async () => {
    const options = { serverInfo: { name: 'desk', version: '1.0.0' }, pageSize: -1 };
    const imports = [McpModule.forRootAsync({ useFactory: () => options })];
    expect((await bootFailure({ adapter, imports })).message).toContain('"pageSize"');
  });

  it('fails at start-up with the reason of a factory that fails (MOD-02)', async () => {
    const useFactory = () => Promise.reject(new Error('no configuration'));
    const failure = await bootFailure({ adapter, imports: [McpModule.forRootAsync({ useFactory })] });
    expect(failure.message).toMatch(
      /^The MCP option "useFactory" of the server "default" failed: no configuration$/,
    );
  });
});
