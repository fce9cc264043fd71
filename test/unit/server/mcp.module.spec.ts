import { describe, expect, it } from '@jest/globals';
import { SetMetadata } from '@nestjs/common';
import { McpModule } from '../../../lib/server/mcp.module.js';
import { McpConfigurationError } from '../../../lib/server/settings/mcp-configuration.error.js';

class AdminTools {}

const serverInfo = { name: 'desk', version: '1.0.0' };
const EXAMPLE = '{ name: "desk", version: "1.0.0" }';

type Method = 'forRoot' | 'forRootAsync' | 'forFeature';
type Fault = readonly [option: string, method: Method, given: unknown, says: string];

const MODULE_FAULTS: readonly Fault[] = [
  ['options', 'forRoot', undefined, `must be an object such as { serverInfo: ${EXAMPLE} }`],
  ['options', 'forRoot', null, `must be an object such as { serverInfo: ${EXAMPLE} }`],
  ['options', 'forRoot', 'desk', 'must be an object with serverInfo'],
  ['server', 'forRoot', { serverInfo, server: '' }, 'must be a non-empty string'],
  ['isDefault', 'forRoot', { serverInfo, isDefault: 'yes' }, 'must be true or false'],
  ['isGlobal', 'forRootAsync', { useFactory: () => ({ serverInfo }), isGlobal: 1 }, 'must be true or false'],
  ['decorators', 'forRoot', { serverInfo, decorators: SetMetadata('public', true) }, 'must be an array'],
  ['decorators[0]', 'forRoot', { serverInfo, decorators: ['public'] }, 'must be a class decorator such as'],
];

const ASYNC_FAULTS: readonly Fault[] = [
  [
    'useFactory',
    'forRootAsync',
    undefined,
    `is required: set it to a value such as () => ({ serverInfo: ${EXAMPLE} })`,
  ],
  ['useFactory', 'forRootAsync', { imports: [] }, 'or set "useClass" or "useExisting"'],
  [
    'mcpPath',
    'forRootAsync',
    { useFactory: () => ({ serverInfo }), mcpPath: '/desk' },
    'must be in the object that the factory returns',
  ],
  [
    'useFactori',
    'forRootAsync',
    { useFactori: () => ({ serverInfo }) },
    'is not a known option: use one of server,',
  ],
];

const FEATURE_FAULTS: readonly Fault[] = [
  ['forFeature', 'forFeature', undefined, 'must be an object with server, providers'],
  ['forFeature', 'forFeature', [AdminTools], 'must be an object with server, providers'],
  [
    'forFeature.server',
    'forFeature',
    { providers: [AdminTools] },
    'is required: set it to a value such as "admin"',
  ],
  [
    'forFeature.providers',
    'forFeature',
    { server: 'admin' },
    'is required: set it to a value such as [AdminTools]',
  ],
  [
    'forFeature.providers[0]',
    'forFeature',
    { server: 'admin', providers: [{ useClass: AdminTools }] },
    'must be a class',
  ],
];

describe('What McpModule is given', () => {
  it.each([...MODULE_FAULTS, ...ASYNC_FAULTS, ...FEATURE_FAULTS])(
    'names "%s" of "%s" where it is wrong, and says what to write (MOD-11)',
    (option, method, given, says) => {
      const call = () => (McpModule[method] as (options: unknown) => unknown)(given);
      expect(call).toThrow(McpConfigurationError);
      expect(call).toThrow(`"${option}"`);
      expect(call).toThrow(says);
    },
  );

  it('takes undefined for not given (MOD-01)', () => {
    const missing = { server: undefined, isDefault: undefined, isGlobal: undefined, decorators: undefined };
    const module = McpModule.forRoot({ serverInfo, ...(missing as object) });
    expect(module.global).toBe(true);
    expect(module.exports).toContain('nestjs-mcp:catalog:default');
  });

  it('refuses settings of the module in what a factory gives, by their type', () => {
    const build = () =>
      McpModule.forRootAsync({
        // @ts-expect-error The decorators must be known before the factory runs
        useFactory: () => ({ serverInfo: { name: 'desk', version: '1.0.0' }, decorators: [] }),
      });
    expect(build).not.toThrow();
  });
});
