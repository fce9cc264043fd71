#!/usr/bin/env node
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isPackageMissing } from '../core/package/missing-package.js';

/** The package that contains the commands. Servers do not need it. */
const PACKAGE = 'nestjs-mcp-cli';

const file = findProgram();
if (file === undefined) {
  process.stderr.write(`The commands are in a separate package: npm install --save-dev ${PACKAGE}\n`);
  process.exitCode = 2;
} else {
  await import(pathToFileURL(file).href);
}

/** Finds the program in the application, or next to this package. */
function findProgram(): string | undefined {
  for (const from of [join(process.cwd(), 'package.json'), import.meta.url]) {
    try {
      return createRequire(from).resolve(PACKAGE);
    } catch (cause) {
      if (!isPackageMissing(PACKAGE, cause)) throw cause;
    }
  }
  return undefined;
}
