import { describe, expect, it } from '@jest/globals';

/** A tool is JavaScript without declarations. */
const TOOL: string = '../../../tools/share-declarations.js';
const { shareDeclarations } = (await import(TOOL)) as {
  shareDeclarations: (main: string, entry: string, from: string) => string;
};

const share = (main: string, entry: string) => shareDeclarations(main, entry, '../index.js').trim();

describe('The declarations of an entry', () => {
  it('import a class that the main entry declares alike, and its parts no more', () => {
    const catalog =
      'declare class Catalog {\n    private entries: Entries;\n}\ndeclare interface Entries {\n    a: 1;\n}\n';
    const shared = share(
      `export ${catalog}`,
      `export declare function read(catalog: Catalog): void;\n${catalog}`,
    );
    expect(shared).toBe(
      "import { Catalog } from '../index.js';\nexport declare function read(catalog: Catalog): void;\nexport { }",
    );
  });

  it('export what both export', () => {
    const main = 'export declare type Level = 1;\n';
    expect(share(main, main)).toBe("export { Level } from '../index.js';\n\nexport { }");
  });

  it('keep what refers to something else of the same name', () => {
    const build = (size: string) =>
      `export declare interface Box {\n    size: Size;\n}\ndeclare type Size = ${size};\n`;
    expect(share(build('string'), build('number'))).toContain('declare type Size = number');
    const link = 'export declare type Link = Span;\n';
    expect(share(`import { Span } from 'a';\n${link}`, `import { Span } from 'b';\n${link}`)).toContain(
      "from 'b'",
    );
  });

  it('recognize what has another name beside something of its name', () => {
    const main = 'export declare interface Claims {\n    sub: string;\n}\n';
    const entry = `declare interface Claims {\n    own: true;\n}\n${main.replace('export', '').replace('Claims', 'Claims_2')}`;
    const used = 'export declare function read(own: Claims, theirs: Claims_2): void;\n';
    expect(share(main, `${entry}${used}`)).toContain("import { Claims as Claims_2 } from '../index.js'");
  });

  it('leave type parameters alone', () => {
    const generic = 'export declare type Read<Result> = () => Result;\n';
    expect(share(`${generic}declare type Result = 1;\n`, generic)).toContain(
      "export { Read } from '../index.js'",
    );
  });
});
