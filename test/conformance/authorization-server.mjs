import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { assertChromium } from '../browser/require-chromium.js';
import buildPrograms from '../support/programs/build-programs.js';
import { runAuthorization } from './suite/run-suite.mjs';

const SAMPLE = join(import.meta.dirname, '../../.build/sample/10-login/main.js');
const REVISIONS = ['2025-11-25', '2026-07-28'];
const READY_WITHIN_MS = 60_000;

/**
 * Runs the scenarios for authorization servers against the sample 10-login. The suite prints the address of the login, which a
 * person opens in Chromium.
 */
export async function runAuthorizationServer() {
  assertChromium();
  buildPrograms();
  const { findFreePort } = await import('../../.build/test/conformance/find-free-port.js');
  const sample = await startSample();
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
  try {
    const results = [];
    for (const revision of REVISIONS) {
      const port = String(await findFreePort());
      const clientId = await register(sample.issuer, `http://127.0.0.1:${port}/callback`);
      const visit = async (address) => logIn(await browser.newContext(), address);
      results.push(await runAuthorization({ ...sample, clientId, port }, revision, visit));
    }
    return results;
  } finally {
    await browser.close();
    await sample.stop();
  }
}

async function startSample() {
  const child = spawn(process.execPath, [SAMPLE], {
    env: { ...process.env, PORT: '0', LOGIN_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout, signal: AbortSignal.timeout(READY_WITHIN_MS) });
  for await (const line of lines) {
    const resource = /serves MCP at (http:\/\/127\.0\.0\.1:\d+\/mcp)/.exec(line)?.[1];
    if (resource === undefined) continue;
    return { resource, issuer: new URL('/oauth', resource).href, stop: () => stopSample(child) };
  }
  child.kill();
  throw new Error('The sample 10-login ended before it served MCP');
}

async function stopSample(child) {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

/** Registers a client, as every client does at our server. */
async function register(issuer, redirectUri) {
  const response = await fetch(`${issuer}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'Conformance', redirect_uris: [redirectUri] }),
  });
  const { client_id: clientId } = await response.json();
  return clientId;
}

/** Allows what the client asks, and logs in at the provider. */
async function logIn(person, address) {
  const page = await person.newPage();
  await page.goto(address);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByLabel('Your name').fill('Ada');
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.waitForURL((url) => url.pathname === '/callback');
  await person.close();
}
