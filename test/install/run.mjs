/**
 * Packs the package, or takes a file that is packed. Installs it with each release of Nest, and calls it under each release of Node. Makes
 * applications with the Nest CLI, installs the package there, lets `init` add a server and generators handlers of every kind, and tests
 * them. Then it bundles applications of the package into one file, runs one under Bun and Deno, and deploys one as `docs/deployment.md` says.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPackage } from '../../tools/pack.js';
import { tryBundling } from './bundling.mjs';
import { tryDeployment } from './deployment.mjs';
import { tryMigration } from './migration.mjs';
import { tryNest11 } from './nest-11.mjs';
import { tryNest12 } from './nest-12.mjs';
import { tryReleases } from './releases.mjs';
import { tryRuntimes } from './runtimes.mjs';
import { tryTypings } from './typings.mjs';

const folder = mkdtempSync(join(tmpdir(), 'nestjs-mcp-install-'));

try {
  const packed = join(folder, 'packed');
  mkdirSync(packed);
  const tarball = findPackage(packed, process.argv[2]);
  tryReleases(folder, tarball);
  await tryNest12(folder, tarball);
  await tryNest11(folder, tarball);
  tryTypings(folder, tarball);
  tryMigration(folder, tarball);
  await tryBundling(folder, tarball);
  await tryRuntimes(folder, tarball);
  await tryDeployment(folder, tarball);
  console.log(
    'Applications made by the Nest CLI serve what "init" and generators added, and test it; declarations compile without optional packages; bundles need no "node_modules"; Bun, Deno and single executables serve; what is deployed drains',
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
