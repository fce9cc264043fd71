import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../support/until.js';

const PATIENCE_MS = 30_000;

/** Notes the address that it is to open, as the user's browser would be given it. */
const PROGRAM = `#!/bin/sh
printf '%s\\n' "$1" >> "$(dirname "$0")/opened"
`;

/** The program that opens addresses for the user: it opens nothing, and notes them in a folder. */
export class NotedBrowser {
  readonly program: string;

  constructor(private readonly folder: string) {
    this.program = join(folder, 'browser');
    writeFileSync(this.program, PROGRAM);
    chmodSync(this.program, 0o755);
  }

  /** The addresses, in order. */
  get addresses(): readonly string[] {
    const file = join(this.folder, 'opened');
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  }

  /** Waits until so many addresses were opened, and gives the last. */
  async opened(times: number): Promise<string> {
    await until(() => this.addresses.length >= times, `address ${times}`, PATIENCE_MS);
    return this.addresses[times - 1]!;
  }
}
