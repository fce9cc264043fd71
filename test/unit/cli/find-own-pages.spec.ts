import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findOwnPages } from '../../../lib/cli/find-own-pages.js';

describe('findOwnPages()', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-pages-'));
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  it('gives the pages in the application if the package is installed there', () => {
    mkdirSync(join(folder, 'node_modules/nestjs-mcp/docs'), { recursive: true });
    expect(findOwnPages(folder)).toBe('node_modules/nestjs-mcp/docs');
  });

  it('gives those of the package that runs if it is not', () => {
    const pages = findOwnPages(folder);
    expect(isAbsolute(pages)).toBe(true);
    expect(existsSync(join(pages, 'lint.md'))).toBe(true);
  });
});
