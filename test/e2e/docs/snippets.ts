import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the project. */
export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A fenced block of a page. */
export interface Block {
  /** The language, for example `ts`. */
  readonly language: string;
  /** The file that the page says the block is; absent where it does not say. */
  readonly file?: string;
  readonly text: string;
}

const FENCE = /^```(\w+)(?: file=(\S+))?[^\n]*\n([\s\S]*?)^```$/gm;

const SAMPLES = ['01-desk', '02-conversation', '03-protected', '04-reports', '06-cluster', '07-app'].map(
  (name) => `sample/${name}/README.md`,
);

/** The pages whose blocks are tried: the README and everything in `docs`. */
export function listPages(): string[] {
  const docs = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.md'),
  );
  return ['README.md', ...SAMPLES, ...docs.map((name) => `docs/${name}`)];
}

/** Reads a page. */
export function readPage(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8');
}

/** Finds the fenced blocks of a page, in its order. */
export function findBlocks(page: string): Block[] {
  return [...readPage(page).matchAll(FENCE)].map(([, language = '', file, block = '']) => ({
    language,
    text: block,
    ...(file !== undefined && { file }),
  }));
}

/** Writes the TypeScript of a page as a program of its own: each block a file, under the name that the page gives it. */
export function writeProgram(folder: string, page: string): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [index, { language, file, text }] of findBlocks(page).entries()) {
    if (language !== 'ts') continue;
    const path = join(folder, file ?? `block-${index + 1}.ts`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** Writes the settings with which TypeScript reads what `writeProgram` wrote. */
export function writeSettings(folder: string, compilerOptions: object): void {
  mkdirSync(folder, { recursive: true });
  const include = ['.', join(ROOT, 'test/e2e/docs/packages.d.ts')];
  const settings = { extends: join(ROOT, 'tsconfig.json'), compilerOptions, include, exclude: [] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
}
