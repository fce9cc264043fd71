import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { JsonObject } from '../clients/message.js';
import { until, within } from '../until.js';
import { buildEnvironment } from './build-environment.js';

const START_MS = 60_000;

/** A server that runs as a process of its own and is spoken to over its pipes. */
export class StdioProgram {
  /** What the process wrote to standard output, line by line. */
  readonly lines: string[] = [];
  stderr = '';
  readonly #child;
  readonly #exit;
  /** It is over when all of what it wrote has been read, which may be after its exit. */
  #isOver = false;
  #rest = '';

  constructor(file: string, environment: NodeJS.ProcessEnv = {}) {
    this.#child = spawn(process.execPath, [file], { env: buildEnvironment(environment) });
    this.#exit = once(this.#child, 'close');
    this.#child.once('close', () => (this.#isOver = true));
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text));
    this.#child.stdin.on('error', () => undefined);
  }

  /** The messages that came; fails where a line is none. */
  get messages(): JsonObject[] {
    return this.lines.map((line) => JSON.parse(line) as JsonObject);
  }

  /** The pipe that the process writes to. */
  get output() {
    return this.#child.stdout;
  }

  /** Bytes of memory that the process holds (proc(5), `VmRSS`). */
  get memory(): number {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
  }

  /** Writes messages, each as a line; text is written as it is. Gives false where the pipe is full. */
  send(...messages: (JsonObject | readonly JsonObject[] | string)[]): boolean {
    const lines = messages.map((message) =>
      typeof message === 'string' ? message : JSON.stringify(message),
    );
    return this.#child.stdin.write(lines.map((line) => `${line}\n`).join(''));
  }

  /** Writes bytes, and waits until the pipe has room for more. */
  async write(bytes: Buffer): Promise<void> {
    if (!this.#child.stdin.write(bytes)) await once(this.#child.stdin, 'drain');
  }

  /** Sends a request and waits for its answer. */
  async request(message: JsonObject): Promise<JsonObject> {
    this.send({ jsonrpc: '2.0', ...message });
    return this.answer(message['id']);
  }

  /** Makes the handshake. */
  async initialize(capabilities: JsonObject = {}, version = '2025-11-25'): Promise<JsonObject> {
    const params = { protocolVersion: version, capabilities, clientInfo: { name: 'e2e', version: '1.0.0' } };
    const answer = await this.request({ id: 'initialize', method: 'initialize', params });
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  /** Waits for the answer of a request. */
  answer(id: unknown): Promise<JsonObject> {
    return this.receives(
      (message) => message['id'] === id && !('method' in message),
      `an answer to ${String(id)}`,
    );
  }

  /** Waits for a message, and fails with what the process printed where it ends before. */
  async receives(isAwaited: (message: JsonObject) => boolean, awaited: string): Promise<JsonObject> {
    const find = () => this.messages.find(isAwaited);
    await until(() => find() !== undefined || this.#isOver, awaited, START_MS);
    const found = find();
    if (found === undefined) throw new Error(`The program has ended before ${awaited}\n${this.stderr}`);
    return found;
  }

  /** Waits until the process has logged a text. */
  async logs(text: string): Promise<void> {
    await until(() => this.stderr.includes(text) || this.#isOver, `"${text}"`, START_MS);
    if (!this.stderr.includes(text)) throw new Error(`The program has ended\n${this.stderr}`);
  }

  /** Ends the input. */
  end(): void {
    this.#child.stdin.end();
  }

  /** Ends the input, and gives the exit code. */
  async finish(timeoutMs?: number): Promise<number | null> {
    this.end();
    return this.exitCode(timeoutMs);
  }

  /** Sends a signal, and gives the exit code. */
  async stop(signal: NodeJS.Signals): Promise<number | null> {
    this.#child.kill(signal);
    return this.exitCode();
  }

  /** Waits until the process has ended, and gives its exit code; null where a signal has ended it. */
  async exitCode(timeoutMs = START_MS): Promise<number | null> {
    try {
      await within(this.#exit, 'the end of the program', timeoutMs);
    } catch (error) {
      this.#child.kill('SIGKILL');
      throw error;
    }
    return this.#child.exitCode;
  }

  #read(text: string): void {
    const parts = (this.#rest + text).split('\n');
    this.#rest = parts.pop() ?? '';
    this.lines.push(...parts);
  }
}
