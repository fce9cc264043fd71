import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../install/call-tool.mjs';

/** What a machine that does a lot besides may take. */
const START_MS = 120_000;

/** Starts an application that is built, has something done with it, and ends it as a platform does. */
export async function withApplication(app, application, act) {
  const port = await findFreePort();
  const log = [];
  const child = spawn(process.execPath, application.start, {
    cwd: app,
    env: { ...process.env, ...application.environment(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => log.push(String(chunk)));
  const ended = once(child, 'exit');
  const url = `http://127.0.0.1:${port}`;
  try {
    await waitForServer(url, child);
    const headers = (await application.signIn?.(url)) ?? {};
    return await act({ url, headers, application, log });
  } catch (error) {
    console.log(log.join(''));
    throw error;
  } finally {
    child.kill();
    await ended;
  }
}

async function waitForServer(url, child) {
  const deadline = performance.now() + START_MS;
  while (child.exitCode === null && performance.now() < deadline) {
    const response = await fetch(url).catch(() => undefined);
    if (response !== undefined) return;
    await delay(100);
  }
  throw new Error('The application did not start');
}
