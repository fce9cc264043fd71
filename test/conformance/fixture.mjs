import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '../..');
/** It is compiled before. */
const READY_WITHIN_MS = 180_000;
/** Less than the 5 s for which Node keeps connections open: the fixture waits for none of them. */
const ENDED_WITHIN_MS = 4_000;

/**
 * Starts the fixture on a free port, as anyone from outside would, and waits for its ready line. With `auth` it is
 * protected by a token of its own making, which is waited for too; `isStateless` makes it keep no sessions, and `isBehindGateway` puts
 * a gateway in front of it.
 */
export async function startFixture({ auth, isStateless = false, isBehindGateway = false } = {}) {
  const child = spawn('npm', ['run', '--silent', 'fixture'], {
    cwd: ROOT,
    env: {
      ...process.env,
      PORT: '0',
      AUTH: auth,
      TOKEN: undefined,
      ISSUER: undefined,
      STATELESS: isStateless ? '1' : undefined,
      GATEWAY: isBehindGateway ? '1' : undefined,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [url, token] = await readAnnouncement(child.stdout, auth !== undefined).catch((error) => {
    child.kill();
    throw error;
  });
  return { url, token, stop: () => stopFixture(child, exited) };
}

async function readAnnouncement(output, hasToken) {
  const expected = [/^ready (http:\/\/127\.0\.0\.1:\d+\/mcp)$/m, ...(hasToken ? [/^token (\S+)$/m] : [])];
  const lines = createInterface({ input: output, signal: AbortSignal.timeout(READY_WITHIN_MS) });
  let printed = '';
  for await (const line of lines) {
    printed += `${line}\n`;
    const found = expected.map((pattern) => pattern.exec(printed)?.[1]);
    if (found[0] === undefined) break;
    if (!found.includes(undefined)) return found;
  }
  throw new Error(`The fixture printed "${printed}" where its ready line was expected`);
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
