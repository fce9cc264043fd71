import type { Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { TicketsModule } from '../../sample/01-desk/tickets/tickets.module.js';
import { ADAPTERS, type AdapterName, type RunningApp } from '../support/applications/boot.js';
import type { Gate } from '../support/applications/gate.js';
import { bootServer } from '../support/applications/server.js';
import { WaitingTools } from '../support/applications/waiting-tools.js';
import { perRequest } from '../support/clients/json-rpc.js';
import type { Place } from './driven-client.js';

export { ADAPTERS };

/** The sample over a pipe. */
export const STDIO: Place = {
  transport: 'stdio',
  command: process.execPath,
  args: [fileURLToPath(new URL('../../.build/sample/01-desk/stdio.js', import.meta.url))],
};

/** The tickets of the sample 01-desk, served over both transports of HTTP, beside tools that wait. */
export class ServedDesk {
  private constructor(private readonly app: RunningApp) {}

  static async start(adapter: AdapterName): Promise<ServedDesk> {
    return new ServedDesk(
      await bootServer({
        adapter,
        options: { sse: true, streams: { beginAfterMs: 50, retryMs: 100 } },
        imports: [TicketsModule],
        providers: [WaitingTools],
      }),
    );
  }

  at(transport: 'http' | 'sse'): Place {
    return { transport, url: transport === 'http' ? this.app.url : `${this.app.origin}/sse` };
  }

  gate(name: string): Gate {
    return this.app.app.get(WaitingTools).gates.at(name);
  }

  /** Waits until calls that said nothing so far have begun their streams: one that comes later than they has. */
  async passSilence(name: string): Promise<void> {
    await this.gate(name).reached();
    const later = perRequest(this.app.url).start('tools/call', {
      name: 'ignore',
      arguments: { gate: `after ${name}` },
    });
    await (await later.stream()).close();
    this.gate(`after ${name}`).open();
  }

  /** Breaks every connection off, as a proxy does that restarts. */
  cut(): void {
    (this.app.app.getHttpServer() as Server).closeAllConnections();
  }

  stop(): Promise<void> {
    return this.app.close();
  }
}
