import { existsSync } from 'node:fs';
import buildPrograms from '../support/programs/build-programs.js';

/** Fails once, and says what to do, where there is no browser; else compiles the programs that open one. */
export default function requireChromium() {
  assertChromium();
  buildPrograms();
}

/** @throws {Error} if there is no browser; it says what to do */
export function assertChromium() {
  process.env.CHROMIUM ??= '/usr/bin/chromium';
  const { CHROMIUM } = process.env;
  if (existsSync(CHROMIUM)) return;
  throw new Error(
    `There is no Chromium at "${CHROMIUM}": install it, on Debian by "apt-get install -y chromium", or say by CHROMIUM where it is`,
  );
}
