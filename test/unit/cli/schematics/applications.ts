/** The module of an application that serves MCP, as the Nest CLI and `init` write it. */
export function formatModule(extension: string, options = ''): string {
  return `import { Module } from '@nestjs/common';
import { McpModule } from 'nestjs-mcp';
import { AppController } from './app.controller${extension}';
import { AppService } from './app.service${extension}';

@Module({
  imports: [
    McpModule.forRoot({
      serverInfo: { name: 'shop', version: '0.0.1' },${options}
    }),
  ],
  controllers: [AppController],
  providers: [AppService],
})
export class AppModule {}
`;
}

/** A module beside it that serves nothing itself. */
export const ORDERS_MODULE = `import { Module } from '@nestjs/common';

@Module({})
export class OrdersModule {}
`;

/** An application as the Nest CLI 12 makes it: ES modules, tested by Vitest. */
export const ESM: Readonly<Record<string, string>> = {
  'package.json': formatManifest({
    type: 'module',
    scripts: { test: 'vitest run' },
    devDependencies: { vitest: '^4.1.2' },
  }),
  'nest-cli.json': '{ "collection": "@nestjs/schematics", "sourceRoot": "src" }\n',
  'tsconfig.json': '{}\n',
  'src/app.module.ts': formatModule('.js'),
};

const JEST_E2E = `{
  "moduleFileExtensions": ["js", "json", "ts"],
  "rootDir": ".",
  "testEnvironment": "node",
  "testRegex": ".e2e-spec.ts$",
  "transform": {
    "^.+\\\\.(t|j)s$": "ts-jest"
  }
}
`;

/** The settings of Jest in the `package.json` of the Nest CLI 11. */
export const JEST = {
  moduleFileExtensions: ['js', 'json', 'ts'],
  rootDir: 'src',
  testRegex: String.raw`.*\.spec\.ts$`,
  transform: { [String.raw`^.+\.(t|j)s$`]: 'ts-jest' },
  collectCoverageFrom: ['**/*.(t|j)s'],
  coverageDirectory: '../coverage',
  testEnvironment: 'node',
};

/** An application as the Nest CLI 11 makes it: CommonJS, tested by Jest. */
export const COMMONJS: Readonly<Record<string, string>> = {
  'package.json': formatManifest({
    scripts: { test: 'jest', 'test:e2e': 'jest --config ./test/jest-e2e.json' },
    devDependencies: { '@types/jest': '^30.0.0', jest: '^30.0.0', 'ts-jest': '^29.2.5' },
    jest: JEST,
  }),
  'nest-cli.json': '{ "collection": "@nestjs/schematics", "sourceRoot": "src" }\n',
  'tsconfig.json': '{}\n',
  'src/app.module.ts': formatModule(''),
  'test/jest-e2e.json': JEST_E2E,
};

/** The settings of Jest as the Nest CLI 12 writes them for CommonJS. */
export const JEST_CONFIG = `import type { Config } from 'jest';
import { pathsToModuleNameMapper } from 'ts-jest';

const config: Config = {
  moduleFileExtensions: ['js', 'json', 'ts'],
  rootDir: '.',
  testRegex: '.*\\\\.spec\\\\.ts$',
  transform: {
    '^.+\\\\.(t|j)s$': 'ts-jest',
  },
  moduleNameMapper: pathsToModuleNameMapper(paths, { prefix: '<rootDir>/' }),
  testEnvironment: 'node',
};

export default config;
`;

/** Two applications of one repository. */
export const MONOREPO: Readonly<Record<string, string>> = {
  'package.json': ESM['package.json'] ?? '',
  'nest-cli.json': `${JSON.stringify({
    sourceRoot: 'apps/shop/src',
    monorepo: true,
    projects: {
      shop: { type: 'application', sourceRoot: 'apps/shop/src' },
      desk: { type: 'application', sourceRoot: 'apps/desk/src' },
    },
  })}\n`,
  'apps/shop/src/shop.module.ts': formatModule('.js'),
  'apps/desk/src/desk.module.ts': formatModule('.js'),
};

function formatManifest(members: object): string {
  return `${JSON.stringify({ name: 'shop', version: '0.0.1', ...members }, undefined, 2)}\n`;
}
