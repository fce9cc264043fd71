import { describe, expect, it } from '@jest/globals';
import { lint } from './planted-files.js';

const codesOf = (files: Record<string, string>) => lint(files).map(({ code }) => code);
const layersRefuse = (path: string, text: string) =>
  lint({ [path]: text }).filter(({ code }) => code === 'house(layers)').length === 1;

describe('The layer rule', () => {
  it.each([
    ['a re-export', `export { subject } from '../../server/methods/subject.js';\n`],
    ['a re-export of everything', `export * from '../../server/methods/subject.js';\n`],
    ['an import at run time', `export const load = () => import('../../server/methods/subject.js');\n`],
    [
      'an import of types in place',
      `export type Subject = import('../../server/methods/subject.js').Subject;\n`,
    ],
    ['an import for its effect', `import '../../server/methods/subject.js';\n`],
  ])('sees %s', (_form, text) => {
    expect(layersRefuse('lib/core/protocol/sample.ts', text)).toBe(true);
  });

  it('takes a folder below one of the table for that one', () => {
    expect(
      layersRefuse('lib/server/methods/deeper/sample.ts', `export * from '../../dispatch/subject.js';\n`),
    ).toBe(true);
    expect(
      layersRefuse(
        'lib/server/methods/deeper/sample.ts',
        `export * from '../../../core/protocol/subject.js';\n`,
      ),
    ).toBe(false);
  });

  it('refuses a folder that is not in the table, and an import that leads to one', () => {
    expect(layersRefuse('lib/elsewhere/sample.ts', 'export const planted = 1;\n')).toBe(true);
    expect(layersRefuse('lib/server/elsewhere/sample.ts', 'export const planted = 1;\n')).toBe(true);
    expect(layersRefuse('lib/server/methods/sample.ts', `export * from '../elsewhere/subject.js';\n`)).toBe(
      true,
    );
  });

  it.each([
    ['core', 'lib/core/protocol/sample.ts', '../../server/methods/subject.js'],
    ['client', 'lib/client/module/sample.ts', '../../server/methods/subject.js'],
    ['server', 'lib/server/methods/sample.ts', '../../client/module/subject.js'],
    ['server', 'lib/server/sample.ts', '../../cli/subject.js'],
    ['client', 'lib/client/tasks/sample.ts', '../../testing/subject.js'],
  ])('keeps "%s" out of a room that it does not know: %s from %s', (_room, path, name) => {
    expect(layersRefuse(path, `export * from '${name}';\n`)).toBe(true);
  });

  it('refuses an import that leaves the rooms', () => {
    expect(
      layersRefuse('lib/server/methods/sample.ts', `export * from '../../../test/support/app.js';\n`),
    ).toBe(true);
  });

  it.each([
    ['ajv/dist/2020.js', 'server/schema', 'server/methods'],
    ['class-validator', 'server/schema', 'server/decorators'],
    ['node:http', 'server/transport/http', 'server/dispatch'],
    ['jose', 'server/auth', 'server/dispatch'],
  ])('confines "%s" to "%s" and its like', (name, home, elsewhere) => {
    const text = `export * from '${name}';\n`;
    expect(layersRefuse(`lib/${home}/planted.ts`, text)).toBe(false);
    expect(layersRefuse(`lib/${elsewhere}/planted.ts`, text)).toBe(true);
  });
});

describe('The lint configuration', () => {
  it('refuses a cycle inside a folder', () => {
    const codes = codesOf({
      'lib/core/protocol/request.ts': `import { right } from './response.js';\nexport const left = () => right;\n`,
      'lib/core/protocol/response.ts': `import { left } from './request.js';\nexport const right = () => left;\n`,
    });
    expect(codes).toContain('import(no-cycle)');
  });

  it('refuses a cycle of types', () => {
    const codes = codesOf({
      'lib/core/protocol/request.ts': `import type { Response } from './response.js';\nexport interface Request {\n  response: Response;\n}\n`,
      'lib/core/protocol/response.ts': `import type { Request } from './request.js';\nexport interface Response {\n  request: Request;\n}\n`,
    });
    expect(codes).toEqual(['import(no-cycle)', 'import(no-cycle)']);
  });

  it('refuses an inner barrel and accepts the public entries', () => {
    const text = 'export const planted = 1;\n';
    expect(codesOf({ 'lib/core/protocol/index.ts': text })).toEqual(['house(no-inner-barrel)']);
    expect(
      codesOf({ 'lib/index.ts': text, 'lib/client/module/index.ts': text, 'lib/testing/index.ts': text }),
    ).toEqual([]);
  });

  it('refuses names whose words are retired or in no vocabulary of the field, and takes their forms', () => {
    const report = (text: string, path = 'lib/core/protocol/sample.ts') =>
      lint({ [path]: text })
        .filter(({ code }) => code === 'house(names)')
        .map(({ message }) => message);
    expect(report('export class SessionStrangers {}\n')).toEqual([
      '"strangers" in "SessionStrangers" is retired: write anonymous caller',
    ]);
    expect(report('export interface Wombat {\n  id: string;\n}\n')).toEqual([
      expect.stringMatching(/^"wombat" in "Wombat" is no word of the field: .*docs\/glossary\.md$/),
    ]);
    expect(report('export type Gizmo = string;\nexport enum Widget {\n  One,\n}\n')).toHaveLength(2);
    expect(report('export const sample = 1;\n', 'lib/core/protocol/wombats/sample.ts')).toHaveLength(1);
    // The glossary defines "round trip" and "skill".
    expect(
      report('export class StoppedSessions {}\nexport class RoundTrips {}\nexport class SkillSetting {}\n'),
    ).toEqual([]);
  });

  it('refuses "any" in lib', () => {
    const codes = codesOf({
      'lib/core/protocol/sample.ts': 'export const planted = (value: any): unknown => value;\n',
    });
    expect(codes).toEqual(['typescript(no-explicit-any)']);
  });

  it('refuses an import of nothing but types that loads the file all the same', () => {
    const codes = (imported: string) =>
      codesOf({
        'test/bench/servers/sample.ts': `import ${imported} from 'nestjs-mcp';\nexport type Planted = AuditEvent;\n`,
      });
    expect(codes('{ type AuditEvent }')).toEqual(['typescript(no-import-type-side-effects)']);
    expect(codes('type { AuditEvent }')).toEqual([]);
  });

  it('refuses a file of lib over 400 lines', () => {
    const lines = (count: number) =>
      Array.from({ length: count }, (_, n) => `export const n${n} = ${n};\n`).join('');
    expect(codesOf({ 'lib/core/protocol/sample.ts': lines(401) })).toEqual(['eslint(max-lines)']);
    expect(codesOf({ 'lib/core/protocol/sample.ts': lines(400) })).toEqual([]);
  });

  it('refuses a test that is skipped or stands alone', () => {
    const spec = (call: string) =>
      `import { expect, it } from '@jest/globals';\n${call}('holds', () => {\n  expect(1).toBe(1);\n});\n`;
    expect(codesOf({ 'test/unit/planted.spec.ts': spec('it.skip') })).toEqual(['jest(no-disabled-tests)']);
    expect(codesOf({ 'test/unit/planted.spec.ts': spec('it.only') })).toEqual(['jest(no-focused-tests)']);
    expect(codesOf({ 'test/unit/planted.spec.ts': spec('it') })).toEqual([]);
  });
});
