import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from './layer-table.js';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const page = readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8');
const readManifest = (folder: string) =>
  JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')) as Manifest;
const { dependencies, peerDependencies } = readManifest('.');

/** Reads which packages the rows below a heading are about. */
function readPackages(heading: string): readonly string[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  const cells = [...table.matchAll(/^\| (`[^|]+)\|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
}

describe('The page of dependencies', () => {
  it.each([
    ['At run time', dependencies],
    ['Peers', peerDependencies],
    ['Of the command line', readManifest('cli').dependencies],
  ])('has every package of "package.json" once, and no other: %s', (heading, packages) => {
    expect(readPackages(heading).toSorted()).toEqual(Object.keys(packages).toSorted());
  });
});
