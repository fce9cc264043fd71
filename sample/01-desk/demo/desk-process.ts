import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../main.js', import.meta.url));

/** The desk as a process of its own, on a free port. */
export class DeskProcess {
  private constructor(
    readonly url: URL,
    private readonly child: ChildProcess,
  ) {}

  static async start(): Promise<DeskProcess> {
    const child = spawn(process.execPath, [MAIN], {
      env: { ...process.env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    process.once('exit', () => child.kill());
    return new DeskProcess(await readUrl(child), child);
  }

  /** Ends the desk as Ctrl+C does. */
  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.kill('SIGTERM');
    await ended;
  }
}

/** Waits for the line of the welcome that names the URL. */
function readUrl(child: ChildProcess): Promise<URL> {
  return new Promise((resolve, reject) => {
    let printed = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const url = /open (http:\S+)/.exec(printed)?.[1];
      if (url !== undefined) resolve(new URL(url));
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error('The desk ended before it said where it listens')));
  });
}
