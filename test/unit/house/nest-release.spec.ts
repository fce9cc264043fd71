import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ASKED_FOR = process.env['NEST'] || '12';

function locate(name: string): string {
  return fileURLToPath(import.meta.resolve(name));
}

function readPackage(name: string): unknown {
  return JSON.parse(readFileSync(join(dirname(locate(name)), 'package.json'), 'utf8'));
}

describe('The Nest of a test', () => {
  it.each(['common', 'core', 'platform-express', 'platform-fastify', 'testing'])(
    'is the release asked for, in "@nestjs/%s" too',
    (name) => {
      const version = expect.stringMatching(`^${ASKED_FOR}\\.`);
      expect(readPackage(`@nestjs/${name}`)).toHaveProperty('version', version);
    },
  );

  it.each(['rxjs', 'reflect-metadata'])('shares "%s" with the library', (name) => {
    const nest = createRequire(locate('@nestjs/core'));
    expect(nest.resolve(name)).toBe(createRequire(import.meta.url).resolve(name));
  });
});
