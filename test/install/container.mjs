import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/** The user `node` of the official images. */
const USER_ID = '1000';

/** Borders of a container that a program notices: the number 1 for its process, and no rights. They are there if this machine allows them. */
const BORDERS = [
  ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child'],
  ['setpriv', `--reuid=${USER_ID}`, `--regid=${USER_ID}`, '--clear-groups', '--inh-caps=-all'],
];

/** The process that a container would run. */
export class Container {
  output = '';

  constructor(image, environment) {
    const borders = findBorders();
    const [program, ...args] = [...borders, ...image.command];
    this.isBordered = borders.length > 0;
    this.child = spawn(program, args, {
      cwd: image.folder,
      env: { PATH: process.env.PATH, ...image.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.exited = once(this.child, 'exit').then(([code]) => code);
    for (const stream of [this.child.stdout, this.child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => (this.output += text));
    }
  }

  /** Sends a signal to the process itself: what makes the borders passes none on. */
  signal(name) {
    process.kill(this.isBordered ? findChild(this.child.pid) : this.child.pid, name);
  }

  /** Waits until the server gives an answer that will do, and gives its status. */
  async answers(url, isEnough) {
    for (;;) {
      const status = await fetch(url).then(
        (answer) => answer.status,
        () => 0,
      );
      if (isEnough(status)) return status;
      if (this.child.exitCode !== null) throw new Error(`The container has ended\n${this.output}`);
      await delay(100);
    }
  }
}

function findBorders() {
  const borders = BORDERS.flat();
  const [program, ...args] = [...borders, process.execPath, '--version'];
  const { status } = spawnSync(program, args, { stdio: 'ignore' });
  if (status !== 0) console.log('No borders of a container here: the process is no number 1');
  return status === 0 ? borders : [];
}

function findChild(pid) {
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  return Number(child);
}
