import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from '@swc/core';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { FailurePrinter } from '../../../../cli/dev/failure-printer.js';

const SOURCE = `interface Tool {
  readonly name: string;
}

export function greet(tool: Tool): string {
\tif (tool.name === '') throw new Error('no name');
  return tool.name;
}
`;

/** Where the compiled function throws. */
const THROWN = { line: 2, column: 31 };

describe('FailurePrinter', () => {
  let root: string;
  let printed: string[];
  let teller: FailurePrinter;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'dev-'));
    printed = [];
    teller = new FailurePrinter(root, (lines) => void printed.push(...lines));
  });

  afterEach(() => rmSync(root, { recursive: true }));

  const write = (path: string, text: string): string => {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  };

  const tell = (frames: readonly string[], packageRoot = '/packages/nestjs-mcp') =>
    teller.print(
      {
        type: 'failure',
        method: 'tools/call',
        target: 'greet',
        name: 'Error',
        message: 'no name',
        stack: ['Error: no name', ...frames.map((frame) => `    at ${frame}`)].join('\n'),
      },
      { pid: 1, packageRoot },
    );

  const compile = (
    change: (map: Record<string, unknown>) => object = (map) => map,
    isInline = false,
  ): string => {
    const { code, map = '{}' } = transformSync(SOURCE, {
      filename: 'greet.ts',
      swcrc: false,
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
      sourceMaps: true,
    });
    const { sourcesContent: _, ...bare } = JSON.parse(map) as Record<string, unknown>;
    const mapped = JSON.stringify(change({ ...bare, sources: ['../src/greet.ts'] }));
    const url = isInline
      ? `data:application/json;base64,${Buffer.from(mapped).toString('base64')}`
      : 'greet.js.map';
    write('dist/greet.js.map', mapped);
    return write('dist/greet.js', `${code}\n//# sourceMappingURL=${url}\n`);
  };

  const FRAME = [
    '  src/greet.ts:6:24',
    '    4 | ',
    '    5 | export function greet(tool: Tool): string {',
    "  > 6 | \tif (tool.name === '') throw new Error('no name');",
    '      | \t                      ^',
    '    7 |   return tool.name;',
    '    8 | }',
  ].map((line) => line.trimEnd());

  const shown = () => printed.map((line) => line.trimEnd());

  it.each([
    ['beside the code', false],
    ['in the code', true],
  ])('leads to the source by a map %s', (_, isInline) => {
    write('src/greet.ts', SOURCE);
    const file = compile((map) => map, isInline);
    tell([`greet (${pathToFileURL(file).href}:${THROWN.line}:${THROWN.column})`]);
    expect(shown()).toEqual(['tools/call greet fails: no name', ...FRAME]);
  });

  it('leads to the source of a bundle, which the map may have itself', () => {
    const file = compile((map) => ({
      ...map,
      sources: ['webpack://desk/./src/greet.ts'],
      sourcesContent: [SOURCE],
    }));
    tell([`greet (${file}:${THROWN.line}:${THROWN.column})`]);
    expect(shown().slice(1)).toEqual(FRAME);
  });

  it('leads to a source that Node has found already', () => {
    tell([`greet (${write('src/greet.ts', SOURCE)}:6:24)`]);
    expect(shown().slice(1)).toEqual(FRAME);
  });

  it('leads past packages to the application', () => {
    const other = write('node_modules/other/index.js', 'fail();\n');
    tell(['node:internal/a:1:1', `fail (${other}:1:1)`, `greet (${write('src/greet.ts', SOURCE)}:6:24)`]);
    expect(shown().slice(1)).toEqual(FRAME);
  });

  it('leads nowhere if this package has thrown it, whatever has called that', () => {
    const own = '/packages/nestjs-mcp/dist/index.js';
    tell([`parse (${own}:1:1)`, `middleware (${write('src/greet.ts', SOURCE)}:6:24)`]);
    expect(shown()).toEqual(['tools/call greet fails: no name']);
  });

  it.each([
    ['a map that is none', 'greet.js.map', '{'],
    ['a line that is not there', 'src/greet.ts', 'one\n'],
  ])('says the place alone with %s', (_, path, text) => {
    const file = compile();
    write('src/greet.ts', SOURCE);
    write(path === 'greet.js.map' ? `dist/${path}` : path, text);
    tell([`greet (${file}:${THROWN.line}:${THROWN.column})`]);
    expect(printed[1]).toMatch(/^ {2}(?:dist\/greet\.js:2:31|src\/greet\.ts:6:24)$/);
  });

  it('shows nothing of code or message that a terminal obeys', () => {
    const file = write('src/greet.ts', `\u001b[2J\u202e${'x'.repeat(1000)}`);
    tell([`greet (${file}:1:1)`]);
    // eslint-disable-next-line no-control-regex -- these are what must not be there
    expect(printed.join('\n')).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
    expect(Math.max(...printed.map(({ length }) => length))).toBeLessThan(200);
  });

  it('tells some of a flood', () => {
    const begun = performance.now();
    for (let number = 0; number < 1000; number += 1) tell([]);
    const seconds = Math.ceil((performance.now() - begun) / 1000);
    expect(printed.length).toBeGreaterThanOrEqual(10);
    expect(printed.length).toBeLessThanOrEqual(10 * (seconds + 1));
  });

  it('reads the stacks that an application prints, each once', () => {
    const file = write('src/greet.ts', SOURCE);
    for (const line of [
      'Error: no name',
      `    at greet (${file}:6:24)`,
      '',
      `    at greet (${file}:6:24)`,
      '',
    ])
      teller.read(line);
    expect(shown()).toEqual(FRAME);
  });

  it('says what to do if a port is taken', () => {
    teller.read('Error: listen EADDRINUSE: address already in use 127.0.0.1:3000');
    teller.read('Error: listen EADDRINUSE: address already in use 127.0.0.1:3000');
    expect(printed).toEqual([expect.stringMatching(/^Port 3000 is in use: /)]);
  });
});
