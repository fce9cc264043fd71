/**
 * Lets applications compile that check the declarations of their packages (`skipLibCheck: false`) and lack an optional package of this one:
 * what a declaration takes from there is `any` to them then. Each place is marked, so that nothing else is let through.
 */
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const DECLARATIONS = join(ROOT, 'dist');
const MARK = '// @ts-ignore: the package is optional';

const { peerDependenciesMeta } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
const optional = Object.keys(peerDependenciesMeta).filter((name) => peerDependenciesMeta[name].optional);
const NAMES = optional.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|');
const NAMED = new RegExp(`(?:\\bfrom |\\bimport\\()["'](?:${NAMES})(?:/[^"']*)?["']`);

for (const entry of readdirSync(DECLARATIONS, { recursive: true, withFileTypes: true })) {
  if (entry.isFile() && entry.name.endsWith('.d.ts')) mark(join(entry.parentPath, entry.name));
}

function mark(file) {
  const text = readFileSync(file, 'utf8');
  const lines = text.split('\n');
  const marked = lines.flatMap((line, index) =>
    NAMED.test(line) && !isComment(line) && lines[index - 1] !== MARK ? [MARK, line] : [line],
  );
  if (marked.length > lines.length) writeFileSync(file, marked.join('\n'));
}

/** Examples name packages too. */
function isComment(line) {
  return /^\s*(?:\*|\/[/*])/.test(line);
}
