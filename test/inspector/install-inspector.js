import { fileURLToPath } from 'node:url';
import { findNode, installPackages, installSuite } from '../conformance/suite/install.mjs';
import buildPrograms from '../support/programs/build-programs.js';

/** Installs the inspector and the Node that it needs, says by INSPECTOR_NODE where that is, and compiles the sample. */
export default function installInspector() {
  installSuite();
  installPackages(fileURLToPath(new URL('../conformance/inspector', import.meta.url)));
  process.env.INSPECTOR_NODE = findNode();
  buildPrograms();
}
