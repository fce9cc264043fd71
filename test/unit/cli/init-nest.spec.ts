import { describe, expect, it } from '@jest/globals';
import { planInit } from '../../../cli/init/plan-init.js';

const MODULE = `import { Module } from '@nestjs/common';\n\n@Module({})\nexport class AppModule {}\n`;

function init(installed: string | undefined, range: string, files: Readonly<Record<string, string>> = {}) {
  const dependencies = { '@nestjs/common': range, '@nestjs/core': range, '@nestjs/config': '^3.0.0' };
  const all: Readonly<Record<string, string>> = {
    'package.json': JSON.stringify({
      name: 'shop',
      dependencies,
      devDependencies: { '@nestjs/testing': range },
    }),
    'src/app.module.ts': MODULE,
    ...files,
  };
  const findVersion = (name: string) => (name === '@nestjs/core' ? installed : undefined);
  return () => planInit({ read: (path) => all[path], findVersion });
}

describe('"init" beside a release of Nest', () => {
  it.each([
    ['10.4.15', '^10.0.0'],
    ['11.0.20', '^11.0.0'],
    ['11.1.5', '^11.1.0'],
    [undefined, '^10.1.0'],
    [undefined, '~9.4'],
  ])('refuses %s of %s, and says how to upgrade (APP-05)', (installed, range) => {
    const told = `has ${installed ?? range.slice(1)}: upgrade it first, with "npm install @nestjs/common@11 @nestjs/core@11 @nestjs/testing@11"`;
    expect(init(installed, range)).toThrow(told);
  });

  it("names the command of the application's package manager (APP-05)", () => {
    expect(init('10.0.0', '^10.0.0', { 'pnpm-lock.yaml': '' })).toThrow('"pnpm add @nestjs/common@11');
  });

  it.each([
    ['11.1.6', '^11.0.0'],
    ['11.2.0', '^11.0.0'],
    ['12.0.0-next.1', 'next'],
    [undefined, '^11.0.0'],
    [undefined, 'catalog:'],
  ])('accepts %s of %s (APP-05)', (installed, range) => {
    expect(init(installed, range)).not.toThrow();
  });
});
