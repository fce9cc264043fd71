import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from './call-tool.mjs';

/** What a machine that does a lot besides may take. */
const PATIENCE_MS = 120_000;

/** Starts an application by its watch script, changes a tool, sees that told, and ends it. */
export async function tryDev(app) {
  const tools = join(app, 'src/greeting.tools.ts');
  const before = readFileSync(tools, 'utf8');
  const dev = await Dev.start(app);
  try {
    const offer = await dev.prints(/ {2}tools +greet\n/);
    writeFileSync(tools, before.replace('description: ', "title: 'Greeting', description: "));
    const changed = await dev.prints(/ {2}~ changed tool greet: .*\btitle\b/, offer);
    writeFileSync(
      tools,
      before.replace(
        /(\n {2}greet\([^\n]*\{\n)/,
        "$1    if (name === 'nobody') throw new Error('nobody');\n",
      ),
    );
    await dev.prints(/ {2}~ changed tool greet: .*\btitle\b/, changed);
    callGreet(app, dev.url);
    await dev.prints(
      /tools\/call greet fails: nobody\n {2}src\/greeting\.tools\.ts:\d+:\d+\n[^]*> +\d+ \|/,
      changed,
    );
  } finally {
    writeFileSync(tools, before);
    await dev.stop();
  }
  await assertGone(app);
}

/** What was killed may be listed for a moment. */
async function assertGone(app) {
  const begun = performance.now();
  while (listProcesses(app).length > 0 && performance.now() - begun < PATIENCE_MS) await delay(50);
  assert.deepEqual(listProcesses(app), []);
}

function callGreet(app, url) {
  try {
    execFileSync('npx', ['nestjs-mcp-cli', 'call', url, 'greet', 'name=nobody'], {
      cwd: app,
      stdio: 'ignore',
    });
  } catch (error) {
    // The tool says that it has failed.
    assert.equal(error.status, 1);
  }
}

class Dev {
  printed = '';
  #child;

  constructor(app, port) {
    this.url = `http://127.0.0.1:${port}/mcp`;
    const options = {
      cwd: app,
      env: { ...process.env, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    };
    this.#child = spawn('npx', ['nestjs-mcp-cli', 'dev'], options);
    for (const output of [this.#child.stdout, this.#child.stderr]) {
      output.setEncoding('utf8').on('data', (text) => (this.printed += text));
    }
  }

  static async start(app) {
    console.log('> npx nestjs-mcp-cli dev');
    return new Dev(app, await findFreePort());
  }

  /** Waits until something is printed behind a place, and gives where that ends. */
  async prints(pattern, after = 0) {
    for (const begun = performance.now(); performance.now() - begun < PATIENCE_MS;) {
      const match = pattern.exec(this.printed.slice(after));
      if (match !== null) return after + match.index + match[0].length;
      await delay(50);
    }
    throw new Error(`"dev" did not print ${pattern}:\n${this.printed}`);
  }

  async stop() {
    if (this.#child.exitCode !== null) return;
    // Ctrl-C at a terminal reaches all of them; what npm passes on goes to its shell alone.
    process.kill(-this.#child.pid, 'SIGINT');
    const signal = AbortSignal.timeout(PATIENCE_MS);
    await once(this.#child, 'close', { signal }).catch((cause) => {
      throw new Error(`"dev" did not end:\n${this.printed}`, { cause });
    });
  }
}

function listProcesses(app) {
  const all = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return all.filter((line) => line.includes(app));
}
