/**
 * Packs the packages, or takes files that are packed. Installs them with each release of Nest, and calls it under each release of Node. Makes
 * applications with the Nest CLI, installs the packages there, lets `init` add a server and generators handlers of every kind, and tests
 * them. Then it bundles applications of the package into one file, runs one under Bun and Deno, and deploys one as `docs/deployment.md` says.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPackages } from '../../tools/pack.js';
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
  const packages = findPackages(packed, process.argv.slice(2));
  tryReleases(folder, packages);
  await tryNest12(folder, packages);
  await tryNest11(folder, packages);
  tryTypings(folder, packages);
  tryMigration(folder, packages);
  await tryBundling(folder, packages);
  await tryRuntimes(folder, packages);
  await tryDeployment(folder, packages);
  console.log(
    'Applications made by the Nest CLI serve what "init" and generators added, and test it; declarations compile without optional packages; bundles need no "node_modules"; Bun, Deno and single executables serve; what is deployed drains',
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
