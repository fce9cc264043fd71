import { fileURLToPath } from 'node:url';
import { assertChromium } from '../browser/require-chromium.js';
import { findNode, installPackages, installSuite } from '../conformance/suite/install.mjs';
import buildPrograms from '../support/programs/build-programs.js';

/**
 * Looks for the browser of its logins, installs the inspector and the Node that it needs, says by INSPECTOR_NODE where that is, and
 * compiles the sample.
 */
export default function installInspector() {
  assertChromium();
  installSuite();
  installPackages(fileURLToPath(new URL('../conformance/inspector', import.meta.url)));
  process.env.INSPECTOR_NODE = findNode();
  buildPrograms();
}
