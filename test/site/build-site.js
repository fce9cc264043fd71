import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { assertChromium } from '../browser/require-chromium.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Where the site is built for: not at the root of its host, as many are not. `served-site.ts` serves it there. */
const SITE_URL = 'http://127.0.0.1/nestjs-mcp/';

/** Fails if there is no browser; else builds the site once, which fails for dead links. */
export default function buildSite() {
  assertChromium();
  const { status, stdout, stderr } = spawnSync('npm', ['run', '-s', 'site:build'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, SITE_URL },
  });
  if (status !== 0) throw new Error(`The site cannot be built\n${stdout}${stderr}`);
}
