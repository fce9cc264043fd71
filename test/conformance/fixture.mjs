import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '../..');
const READY_WITHIN_MS = 30_000;
const ENDED_WITHIN_MS = 1_000;

/** Starts the fixture on a free port, as anyone from outside would, and waits for its ready line. */
export async function startFixture(environment = {}) {
  const child = spawn('npm', ['run', '--silent', 'fixture'], {
    cwd: ROOT,
    env: { ...process.env, PORT: '0', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const ready = once(createInterface({ input: child.stdout }), 'line', {
    signal: AbortSignal.timeout(READY_WITHIN_MS),
  });
  const [line] = await Promise.race([ready, exited.then(([code]) => [`exit code ${code}`])]);
  const url = /^ready (http:\/\/127\.0\.0\.1:\d+\/mcp)$/.exec(line)?.[1];
  if (url === undefined) {
    child.kill();
    throw new Error(`The fixture printed "${line}" where its ready line was expected`);
  }
  return { url, stop: () => stopFixture(child, exited) };
}

async function stopFixture(child, exited) {
  const begin = performance.now();
  child.kill('SIGTERM');
  const [code, signal] = await exited;
  const tookMs = Math.round(performance.now() - begin);
  if (code === 0 && tookMs <= ENDED_WITHIN_MS) return;
  throw new Error(
    `The fixture ended with ${code ?? signal} ${tookMs} ms after SIGTERM, expected 0 within ${ENDED_WITHIN_MS} ms`,
  );
}
