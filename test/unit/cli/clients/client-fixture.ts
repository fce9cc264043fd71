import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runAdd } from '../../../../cli/clients/add.command.js';
import { runRemove } from '../../../../cli/clients/remove.command.js';
import type { Keyboard } from '../../../../cli/line-keyboard.js';
import { RecordingTerminal } from '../../../support/recording-terminal.js';

/** The home of somebody and a project of theirs, where clients have their configurations, in a folder that is there for one test. */
export class ClientScene {
  readonly #root = mkdtempSync(join(tmpdir(), 'nestjs-mcp-clients-'));
  readonly #terminal = new RecordingTerminal();
  /** The variables of the environment. */
  environment: Readonly<Record<string, string>> = {};

  constructor() {
    mkdirSync(this.at('project'));
  }

  at(path: string): string {
    return join(this.#root, path);
  }

  read(path: string): string {
    return readFileSync(this.at(path), 'utf8');
  }

  write(path: string, content: string | Buffer): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), content);
  }

  get printed(): readonly string[] {
    return this.#terminal.printed;
  }

  get complaints(): readonly string[] {
    return this.#terminal.complaints;
  }

  /** What was printed, and then what was complained of. */
  get lines(): readonly string[] {
    return this.#terminal.lines;
  }

  add(...args: readonly string[]): Promise<number> {
    return runAdd(args, this.#terminal, this.#buildFacts());
  }

  /** Adds a server on a machine of another kind. */
  addOn(platform: NodeJS.Platform, ...args: readonly string[]): Promise<number> {
    return runAdd(args, this.#terminal, this.#buildFacts(platform));
  }

  /** Adds a server where somebody can be asked. */
  addAsked(ask: Keyboard['ask'], ...args: readonly string[]): Promise<number> {
    return runAdd(args, { ...this.#terminal, keyboard: { isTerminal: true, ask } }, this.#buildFacts());
  }

  remove(...args: readonly string[]): Promise<number> {
    return runRemove(args, this.#terminal, this.#buildFacts());
  }

  end(): void {
    rmSync(this.#root, { recursive: true });
  }

  #buildFacts(platform: NodeJS.Platform = 'linux') {
    const { environment } = this;
    return { platform, environment, home: this.at('home'), folder: this.at('project') };
  }
}
