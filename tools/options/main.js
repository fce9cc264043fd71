/**
 * Writes the lists of options into the pages of `docs`, from the docstrings of the interfaces: `npm run options`. With `--check` it
 * fails if a page is not as the docstrings have it. With `--list` it prints the options of the interfaces that follow, as JSON.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { OptionReader } from './read-options.js';
import { writeOptions } from './write-options.js';

const DOCS = join(import.meta.dirname, '../../docs');

const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false }, list: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const reader = new OptionReader();

if (values.list) {
  const lists = positionals.map((name) => [name, reader.read(name)]);
  process.stdout.write(JSON.stringify(Object.fromEntries(lists)));
} else {
  for (const name of readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.md'),
  )) {
    const page = readFileSync(join(DOCS, name), 'utf8');
    const written = writeOptions(page, (group) => reader.read(group));
    if (written === page) continue;
    if (!values.check) {
      writeFileSync(join(DOCS, name), written);
      continue;
    }
    console.error(`"docs/${name}" is not as the docstrings have it: run "npm run options"`);
    process.exitCode = 1;
  }
}
