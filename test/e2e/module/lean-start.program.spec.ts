import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { NodeProgram } from '../../support/programs/node-program.js';

const PROGRAM = fileURLToPath(new URL('../../../.build/test/programs/lean-app.js', import.meta.url));
const ENTRY = new URL('../../../dist/index.js', import.meta.url);
const IMPORT = /^(?:import|export) [^'"]*?from '(\.[^']*\.js)'/gm;

describe('the start of a server', () => {
  let told: { answer: string; isFetchLoaded: boolean };

  beforeAll(async () => {
    const program = new NodeProgram(PROGRAM);
    await program.exitCode();
    told = JSON.parse(program.stdout) as typeof told;
  });

  it('comes to the first answer', () => {
    expect(told.answer).toContain('"structuredContent":{"greeting":"hello"}');
  });

  it("loads nothing of Node's fetch() up to there", () => {
    expect(told.isFetchLoaded).toBe(false);
  });

  it('reads four files of the package: the entry, its code, and two that it shares with other entries', () => {
    expect(listImported(ENTRY).size).toBe(4);
  });
});

/** Lists a file of the package and all that it imports at once. */
function listImported(file: URL, found = new Set<string>()): Set<string> {
  if (found.has(file.href)) return found;
  found.add(file.href);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(IMPORT))
    listImported(new URL(path, file), found);
  return found;
}
