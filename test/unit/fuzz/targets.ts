import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../fuzz', import.meta.url));

/** A parser of what strangers send, with all that it is expected to do. */
export interface FuzzTarget {
  fuzz(bytes: Buffer): void;
}

/** The names of all fuzz targets. */
export const TARGETS: readonly string[] = readdirSync(join(FOLDER, 'targets')).map((file) =>
  file.replace(/\.ts$/, ''),
);

/** Gives a target. */
export async function loadTarget(name: string): Promise<FuzzTarget> {
  return (await import(`../../fuzz/targets/${name}.js`)) as FuzzTarget;
}

/** An input that is kept for a target. */
export interface KeptInput {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Reads the inputs that are kept for a target: examples, what the fuzzer found worth keeping, and what once broke it. */
export function readCorpus(target: string): readonly KeptInput[] {
  const folder = join(FOLDER, 'corpus', target);
  return readdirSync(folder).map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
}
