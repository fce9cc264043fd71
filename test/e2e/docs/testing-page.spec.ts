import { join } from 'node:path';
import { findBlocks, ROOT, writeProgram } from './snippets.js';

const PAGE = 'docs/testing.md';
const FOLDER = join(ROOT, '.build/testing-page');

writeProgram(FOLDER, PAGE);

// The blocks are tests themselves: importing them is what declares them.
for (const { file } of findBlocks(PAGE)) if (file?.endsWith('.spec.ts')) await import(join(FOLDER, file));
