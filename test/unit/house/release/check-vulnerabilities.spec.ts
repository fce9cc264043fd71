import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { findFreePort } from '../../../conformance/find-free-port.js';
import { ReleaseFolder } from './release-folder.js';

const MANIFEST = {
  name: 'desk',
  version: '1.0.0',
  dependencies: { lamp: '1.0.0' },
  devDependencies: { saw: '1.0.0', preact: '1.0.0', petal: '2.0.0' },
};
const PACKAGES = {
  '': MANIFEST,
  'node_modules/lamp': { version: '1.0.0' },
  'node_modules/saw': { version: '1.0.0', dev: true },
  'node_modules/preact': { version: '1.0.0', dev: true, dependencies: { petal: '1.0.0' } },
  'node_modules/petal': { version: '2.0.0', dev: true },
  'node_modules/preact/node_modules/petal': { version: '1.0.0', dev: true },
};
const ADVISORY = {
  id: 1,
  url: 'https://example.com/advisories/1',
  title: 'The lamp burns down the house',
  severity: 'high',
  vulnerable_versions: '<2.0.0',
  cwe: [],
};

let folder: ReleaseFolder;
let registry: Server | undefined;

beforeAll(() => {
  folder = new ReleaseFolder({
    'package.json': MANIFEST,
    'package-lock.json': { name: 'desk', version: '1.0.0', lockfileVersion: 3, packages: PACKAGES },
  });
});

afterEach(() => {
  registry?.close().closeAllConnections();
  registry = undefined;
});

afterAll(() => folder.remove());

/** Asks a registry that answers so. */
async function ask(answer: RequestListener) {
  registry = createServer(answer).listen(0, '127.0.0.1');
  await once(registry, 'listening');
  return askAt((registry.address() as AddressInfo).port);
}

function askAt(port: number) {
  const environment = { npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_cache: folder.path };
  return folder.run('check-vulnerabilities.js', [], environment);
}

/** Says that there are two versions of a package. */
const describePackage = (name: string) => ({
  name,
  'dist-tags': { latest: '1.0.0' },
  versions: { '1.0.0': { name, version: '1.0.0' }, '2.0.0': { name, version: '2.0.0' } },
});

/** What is known of weaknesses, and which versions there are. */
const answerWith =
  (advisories: object): RequestListener =>
  ({ method, url = '' }, response) =>
    void response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(method === 'POST' ? advisories : describePackage(url.slice(1))));

describe('The check of known vulnerabilities', () => {
  it('ends with 1, and says what is wrong with what is installed with the package (WAY-04)', async () => {
    const { code, stderr } = await ask(
      answerWith({ lamp: [ADVISORY], saw: [{ ...ADVISORY, title: 'Sharp' }] }),
    );
    expect(code).toBe(1);
    expect(stderr).toContain(
      'high: "lamp" 1.0.0: The lamp burns down the house (https://example.com/advisories/1)',
    );
    expect(stderr).not.toContain('Sharp');
  }, 60_000);

  it('ends with 1 if something is wrong with what is in the page, and leaves out other copies of it (WAY-04)', async () => {
    const wilted = { ...ADVISORY, title: 'The petal wilts', vulnerable_versions: '<2.0.0' };
    const { code, stderr } = await ask(answerWith({ petal: [wilted] }));
    expect(code).toBe(1);
    expect(stderr).toContain('The petal wilts');
    const other = { ...ADVISORY, vulnerable_versions: '>=2.0.0' };
    expect(await ask(answerWith({ petal: [other] }))).toMatchObject({ code: 0, stderr: '' });
  }, 60_000);

  it('ends with 0 if nothing is known (WAY-04)', async () => {
    expect(await ask(answerWith({}))).toMatchObject({ code: 0, stderr: '' });
  }, 60_000);

  it.each([
    [
      'answers with an error',
      (_: unknown, response: Parameters<RequestListener>[1]) => void response.writeHead(503).end(),
    ],
    [
      'answers with a page',
      (_: unknown, response: Parameters<RequestListener>[1]) => void response.end('<html>'),
    ],
  ])(
    'ends with 3 if the registry %s, which is no finding (WAY-04)',
    async (_, answer) => {
      const { code, stderr } = await ask(answer);
      expect([code, stderr]).toEqual([3, expect.stringContaining('The registry could not be asked')]);
    },
    60_000,
  );

  it('ends with 3 if nobody is there (WAY-04)', async () => {
    expect(await askAt(await findFreePort())).toMatchObject({ code: 3 });
  }, 60_000);
});
