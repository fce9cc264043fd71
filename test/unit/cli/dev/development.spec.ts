import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Development } from '../../../../cli/dev/development.js';
import type { Reporter } from '../../../../cli/dev/failure-printer.js';
import { findFreePort } from '../../../conformance/find-free-port.js';
import { until } from '../../../support/until.js';

const TAKEN = 'Error: listen EADDRINUSE: address already in use 127.0.0.1:';

describe('Development', () => {
  const reporter = { packageRoot: '/nowhere' } as Reporter;
  let lines: string[];
  let development: Development;
  let port: number;

  beforeEach(async () => {
    lines = [];
    development = new Development({
      root: '/nowhere',
      print: (printed) => lines.push(...printed),
      open: () => undefined,
    });
    port = await findFreePort();
    await development.onBegin(reporter);
    const endpoint = { isSecure: false, path: '/mcp', revisions: [], needsToken: false, hasExplorer: false };
    const listening = { ...endpoint, host: '127.0.0.1', port };
    development.onReport({ type: 'offer', server: 'default', endpoint: listening, entries: [] }, reporter);
    development.onEnd(reporter);
    await until(() => isTaken(port), 'the port to be kept');
    lines = [];
  });

  afterEach(() => development.close());

  it('gives a port up that another server of the application wants, and says so once', async () => {
    development.onLine(`${TAKEN}${port}`);
    development.onLine(`${TAKEN}${port}`);
    expect(lines).toEqual([
      `Port ${port} was reserved for the server that listened on it, and is free now: start the application again`,
    ]);
    await until(async () => !(await isTaken(port)), 'the port to be free');
  });

  it('keeps it if the application finds another one taken', async () => {
    development.onLine(`${TAKEN}1`);
    expect(lines).toEqual([
      'Port 1 is in use: stop the process that listens on it, or configure another port',
    ]);
    expect(await isTaken(port)).toBe(true);
  });
});

async function isTaken(port: number): Promise<boolean> {
  try {
    const { status } = await fetch(`http://127.0.0.1:${port}/mcp`, { headers: { connection: 'close' } });
    return status === 503;
  } catch {
    return false;
  }
}
