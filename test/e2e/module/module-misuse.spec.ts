import { describe, expect, it } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { McpCatalog, McpConfigurationError, McpModule, Tool, type McpOptions } from 'nestjs-mcp';
import { ADAPTERS, bootApp, bootTestingApp } from '../../support/applications/boot.js';
import { bootFailure } from '../../support/applications/boot-failure.js';

@Injectable()
class AdminTools {
  @Tool({ description: 'Purges' })
  purge(): string {
    return 'purged';
  }
}

const serverInfo = { name: 'desk', version: '1.0.0' };
const desk = McpModule.forRoot({ serverInfo });
const feature = McpModule.forFeature({ server: 'default', providers: [AdminTools] });

describe.each(ADAPTERS)('A module that is not used as it is meant, on %s', (adapter) => {
  it('says what to import in the place of the bare class (MOD-11)', async () => {
    const error = await bootFailure({ adapter, imports: [McpModule] });
    expect(error).toBeInstanceOf(McpConfigurationError);
    expect(error.message).toContain('import "McpModule.forRoot({ serverInfo:');
  });

  it('says where a setting belongs that the factory gives (MOD-02) (MOD-11)', async () => {
    const options = { serverInfo, isDefault: true };
    const useFactory = (): McpOptions => options;
    const error = await bootFailure({ adapter, imports: [McpModule.forRootAsync({ useFactory })] });
    expect(error).toBeInstanceOf(McpConfigurationError);
    expect(error.message).toContain('"isDefault" must be set next to the factory');
  });

  it('names a class of a feature that no module provides (MOD-05) (MOD-11)', async () => {
    const { message } = await bootFailure({ adapter, imports: [desk, feature] });
    expect(message).toContain('names the class "AdminTools", which no module provides');
  });

  it.each([
    ['itself', AdminTools],
    ['under another token', { provide: 'ADMIN', useClass: AdminTools }],
    ['by a factory', { provide: 'ADMIN', useFactory: () => new AdminTools() }],
  ])('takes a class of a feature that is provided %s (MOD-05)', async (_, provider) => {
    const { app, close } = await bootApp({ adapter, imports: [desk, feature], providers: [provider] });
    expect(app.get(McpCatalog).tools.find('purge')).toBeDefined();
    await close();
  });

  it('takes a class of a feature that a test has replaced (MOD-05)', async () => {
    const { app, close } = await bootTestingApp({
      adapter,
      imports: [desk, feature],
      providers: [AdminTools],
      override: (builder) => builder.overrideProvider(AdminTools).useValue({}),
    });
    expect(app.get(McpCatalog).tools.list()).toEqual([]);
    await close();
  });
});
