import type { SpecParts } from './handler-kind.interface.js';

/** The test runner of an application: `globals` stands for any runner that needs no import. */
export type TestRunner = 'vitest' | '@jest/globals' | 'globals';

/** A handler's test, as described by its kind. */
export interface HandlerSpec extends SpecParts {
  readonly className: string;
  /** The handler's import statement. */
  readonly from: string;
  readonly runner: TestRunner;
}

/** The type `Client` of the official client would not match in CommonJS: its package declares types separately for each module system. */
const CLIENT_TYPE = 'type Client = Awaited<ReturnType<typeof McpTestingModule.createClient>>;';

/** Formats a test that starts a server with the handler, and calls it through a client. */
export function formatSpec(spec: HandlerSpec): string {
  const { className, from, runner, imports = [], before, withoutClient = false, tests } = spec;
  const functions = 'afterEach, beforeEach, describe, expect, it';
  const lines = [
    `import { Test, type TestingModule } from '@nestjs/testing';`,
    `import { McpModule } from 'nestjs-mcp';`,
    `import { McpTestingModule } from 'nestjs-mcp/testing';`,
    ...imports,
    ...(runner === 'globals' ? [] : [`import { ${functions} } from '${runner}';`]),
    `import { ${className} } from '${from}';`,
    '',
    ...(withoutClient ? [] : [CLIENT_TYPE, '']),
    ...(before === undefined ? [] : [before, '']),
    `describe('${className}', () => {`,
    ...indent(formatSetup(spec)),
    '',
    ...indent(tests.trim().split('\n')),
    '});',
    '',
  ];
  return lines.join('\n');
}

function formatSetup(spec: HandlerSpec): readonly string[] {
  const { className, serverOptions, clientOptions = '', withProvider = false, withoutClient = false } = spec;
  const options = clientOptions === '' ? '(moduleRef)' : `(moduleRef, ${clientOptions})`;
  const connect = `  client = await McpTestingModule.createClient${options};`;
  return [
    'let moduleRef: TestingModule;',
    ...(withProvider ? [`let provider: ${className};`] : []),
    ...(withoutClient ? [] : ['let client: Client;']),
    '',
    'beforeEach(async () => {',
    '  moduleRef = await Test.createTestingModule({',
    '    imports: [',
    '      McpModule.forRoot({',
    `        serverInfo: { name: 'test', version: '1.0.0' },`,
    ...(serverOptions === undefined ? [] : [`        ${serverOptions},`]),
    '      }),',
    '    ],',
    `    providers: [${className}],`,
    '  }).compile();',
    '  await moduleRef.init();',
    ...(withProvider ? [`  provider = moduleRef.get(${className});`] : []),
    ...(withoutClient ? [] : connect.split('\n')),
    '});',
    '',
    'afterEach(async () => {',
    ...(withoutClient ? [] : ['  await client.close();']),
    '  await moduleRef.close();',
    '});',
  ];
}

function indent(lines: readonly string[]): readonly string[] {
  return lines.map((line) => (line === '' ? '' : `  ${line}`));
}
