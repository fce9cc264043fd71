import { isObject } from '../../../lib/core/protocol/json-rpc.js';
import type { StartedServer } from '../../server/called-server.js';
import { ServerProcess } from '../../server/server-process.js';
import type { Channel } from './channel-wire.js';

/** The number of stray lines to show. */
const MOST_LINES = 100;

/** The processes that are started to examine a server. */
export class ProcessChannels {
  /** Lines of standard output that are not JSON-RPC messages. */
  readonly strayLines: string[] = [];
  readonly #processes: ServerProcess[] = [];

  constructor(private readonly server: StartedServer) {}

  /** The last lines that the first process wrote to standard error. */
  get log(): readonly string[] {
    return this.#processes[0]?.log ?? [];
  }

  /** Whether a process had to be killed. */
  get wasForced(): boolean {
    return this.#processes.some(({ wasForced }) => wasForced);
  }

  readonly create = async (): Promise<Channel> => {
    const started = await ServerProcess.prepare(this.server, this.#createReader());
    this.#processes.push(started);
    return new ProcessChannel(started);
  };

  #createReader(): (chunk: Buffer) => void {
    let rest = '';
    return (chunk) => {
      const lines = (rest + chunk.toString('utf8')).split('\n');
      rest = lines.pop() ?? '';
      const stray = lines.filter((line) => line.trim() !== '' && !isMessage(line));
      this.strayLines.push(...stray.slice(0, MOST_LINES - this.strayLines.length));
    };
  }
}

class ProcessChannel implements Channel {
  #failure: string | undefined;

  constructor(private readonly process: ServerProcess) {}

  get failure(): string | undefined {
    const { ending } = this.process;
    if (ending === undefined) return this.#failure;
    return ending.signal === null ? `exited with code ${ending.code}` : `was terminated by ${ending.signal}`;
  }

  async open(receive: Parameters<Channel['open']>[0]): Promise<void> {
    const { transport } = this.process;
    transport.onmessage = (message) => receive({ ...message });
    transport.onclose = () => (this.#failure ??= 'closed its standard output');
    try {
      await transport.start();
    } catch (error) {
      this.#failure = `cannot be started (${String((error as NodeJS.ErrnoException).code)})`;
    }
  }

  async send(message: Parameters<Channel['send']>[0]): Promise<void> {
    if (this.failure !== undefined) return;
    await this.process.transport.send(message as Parameters<typeof this.process.transport.send>[0]);
  }

  close(): Promise<void> {
    return this.process.close();
  }
}

function isMessage(line: string): boolean {
  try {
    const message: unknown = JSON.parse(line);
    return isObject(message) && message['jsonrpc'] === '2.0';
  } catch {
    return false;
  }
}
