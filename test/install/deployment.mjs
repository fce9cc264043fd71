import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { findFreePort } from './call-tool.mjs';
import { Container } from './container.mjs';
import { buildImage } from './dockerfile.mjs';
import { readPageFiles } from './page-files.mjs';
import { ROOT, run } from './shell.mjs';

/** `npm ci` refuses 8.4.0, which names an optional package that the registry does not have. */
const VITE = 'vite@8.3';

const ENVIRONMENT = {
  PUBLIC_URL: 'https://shop.example.com/mcp',
  ISSUER: 'https://login.example.com',
  MCP_SECRET: 'dGhlLXNlY3JldC1vZi10aGUtdGVzdHMtb2YtZGVwbG95bWVudA==',
};

/** Does what `docs/deployment.md` says, from an empty folder to a container that drains. */
export async function tryDeployment(folder, { server, cli }) {
  const files = readPageFiles('docs/deployment.md');
  const place = join(folder, 'deployment');
  mkdirSync(place);
  chmodSync(folder, 0o755);
  // The tarball stands for the registry: what depends on it finds it beside its folder.
  const bring = (root) => copyFileSync(server, join(root, basename(server)));
  bring(place);
  run(place, 'npx', '--yes', '@nestjs/cli@12', 'new', 'shop', '--package-manager', 'npm', '--skip-git');
  const context = join(place, 'shop');
  const packages = [
    'zod',
    '@nestjs/terminus',
    '@nestjs/throttler',
    '@opentelemetry/api',
    '@opentelemetry/sdk-node',
  ];
  addOverrides(context);
  run(context, 'npm', 'install', '--save-dev', VITE);
  run(context, 'npm', 'install', `../${basename(server)}`, ...packages);
  run(context, 'npm', 'install', 'ioredis@5', '@nest-lab/throttler-storage-redis');
  for (const [file, text] of files) {
    mkdirSync(dirname(join(context, file)), { recursive: true });
    writeFileSync(join(context, file), text);
  }
  const image = buildImage({
    dockerfile: files.get('Dockerfile'),
    ignored: files.get('.dockerignore').split('\n'),
    context,
    folder: join(place, 'stages'),
    prepare: bring,
  });
  assert.notEqual(image.user, 'root');
  await tryContainer(image);
  run(image.folder, 'npm', 'install', '--no-save', '--omit=dev', cli);
  tryDoctor(image);
  tryManifests(place, files.get('kubernetes.yaml'));
}

/** Allows the packages that name no release of this Nest yet, as the page does. */
function addOverrides(context) {
  const page = readFileSync(join(ROOT, 'docs/deployment.md'), 'utf8');
  const [, shown] = /^```json\n(\{\n {2}"overrides"[^]*?)^```$/m.exec(page);
  const file = join(context, 'package.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...JSON.parse(shown) }));
}

async function tryContainer(image) {
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const container = new Container(image, { ...ENVIRONMENT, PORT: String(port) });
  const isOk = (status) => status === 200;
  try {
    await container.answers(`${origin}/ready`, isOk);
    await container.answers(`${origin}/live`, isOk);
    assert.equal(runCheck(image, port), 0);
    assert.equal(await post(origin), 401);
    container.signal('SIGTERM');
    await container.answers(`${origin}/ready`, (status) => status === 503);
    assert.equal(await post(origin), 401, 'A server that drains serves requests');
    assert.equal(runCheck(image, port), 1);
    assert.equal(await container.exited, 0, container.output);
  } finally {
    container.child.kill('SIGKILL');
  }
}

/** Asks as the container's own check does, at another port. */
function runCheck({ check, folder }, port) {
  const [program, ...args] = check.map((part) => part.replace(':3000/', `:${port}/`));
  return spawnSync(program, args, { cwd: folder, stdio: 'ignore' }).status;
}

async function post(origin) {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  return (await fetch(`${origin}/mcp`, { method: 'POST', headers, body })).status;
}

/** What the page leads to lacks nothing. */
function tryDoctor({ folder, env }) {
  const args = ['nestjs-mcp-cli', 'doctor', '--production', '--json', 'dist/create-app.js'];
  const { stdout, stderr, status } = spawnSync('npx', args, {
    cwd: folder,
    env: { ...process.env, ...env, ...ENVIRONMENT, NODE_OPTIONS: '' },
    encoding: 'utf8',
  });
  assert.equal(status, 0, stdout + stderr);
  const findings = JSON.parse(stdout).filter((finding) => finding.status !== 'ok');
  assert.deepEqual(findings, []);
}

/** Manifests are what Kubernetes takes, and their times fit to those of the application. */
function tryManifests(place, text) {
  run(place, 'npm', 'install', '--prefix', place, 'kubernetes-models', 'yaml');
  const require = createRequire(join(place, 'index.js'));
  const manifests = require('yaml')
    .parseAllDocuments(text)
    .map((one) => one.toJS());
  for (const manifest of manifests) {
    const [group, version = group] = manifest.apiVersion.split('/');
    const path = manifest.apiVersion.includes('/') ? `${group}/${version}` : version;
    const { [manifest.kind]: Model } = require(`kubernetes-models/${path}/${manifest.kind}`);
    new Model(manifest).validate();
  }
  const { template } = manifests.find(({ kind }) => kind === 'Deployment').spec;
  const [{ readinessProbe, livenessProbe, startupProbe }] = template.spec.containers;
  assert.equal(readinessProbe.httpGet.path, '/ready');
  assert.equal(livenessProbe.httpGet.path, '/live');
  assert.equal(startupProbe.httpGet.path, '/live');
  const { drainMs, graceMs } = readTimes();
  const noticedMs = readinessProbe.periodSeconds * readinessProbe.failureThreshold * 1000;
  assert.ok(drainMs > noticedMs, 'A balancer notices while the server drains');
  assert.ok(template.spec.terminationGracePeriodSeconds * 1000 >= drainMs + graceMs + 5000);
}

function readTimes() {
  const module = readPageFiles('docs/deployment.md').get('src/app.module.ts');
  const [, drain, grace] = /drainMs: .*?([\d_]+) : 0, graceMs: ([\d_]+)/.exec(module);
  const read = (digits) => Number(digits.replaceAll('_', ''));
  return { drainMs: read(drain), graceMs: read(grace) };
}
