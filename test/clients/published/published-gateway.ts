import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GatewayServerOptions } from 'nestjs-mcp/gateway';
import { findFreePort } from '../../conformance/find-free-port.js';
import { bootGateway, type RunningGateway } from '../../e2e/gateway/gateway.app.js';
import { NodeProgram } from '../../support/programs/node-program.js';
import { until } from '../../support/until.js';
import { OfficialClient, type Listed, type Place } from './official-client.js';
import { LISTENING, OVER_STDIO, type PublishedServer } from './published-servers.js';

const START_MS = 60_000;

/** What a server gives to a client that is connected to it directly. */
interface Known {
  readonly listed: Listed;
  /** The results of its requests. */
  readonly results: readonly object[];
}

/** All published servers behind one gateway. */
export class PublishedGateway {
  readonly #known = new Map<string, Known>();
  readonly #programs: NodeProgram[] = [];
  readonly #ports = new Set<number>();
  #folder = '';
  #gateway: RunningGateway | undefined;

  private constructor() {}

  static async start(): Promise<PublishedGateway> {
    const started = new PublishedGateway();
    try {
      await started.#start();
      return started;
    } catch (error) {
      await started.close();
      throw error;
    }
  }

  /** The gateway's endpoint. */
  get url(): string {
    return this.#gateway?.url ?? '';
  }

  /** The folder in which the servers over stdio run. */
  get folder(): string {
    return this.#folder;
  }

  /** Finds what a server gives without the gateway. */
  find(name: string): Known {
    const known = this.#known.get(name);
    if (known === undefined) throw new Error(`The server "${name}" has not been used`);
    return known;
  }

  /** Ends all processes. */
  async close(): Promise<void> {
    await this.#gateway?.close();
    this.#gateway = undefined;
    await Promise.all(this.#programs.splice(0).map((program) => program.stop('SIGKILL')));
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #start(): Promise<void> {
    this.#folder = await mkdtemp(join(tmpdir(), 'nestjs-mcp-gateway-'));
    await writeFile(join(this.#folder, 'note.txt'), 'first\nsecond\n');
    await writeFile(join(this.#folder, 'memory.jsonl'), GRAPH.map((one) => JSON.stringify(one)).join('\n'));
    const servers = [...LISTENING, ...OVER_STDIO];
    const settled = await Promise.allSettled(servers.map((server) => this.#examine(server)));
    const failed = settled.find((one) => one.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    const places = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    const options = servers.map(({ name, hasApps = false }, index) => [
      name,
      // All callers have the same roots, as the servers apply them to a connection.
      {
        ...buildOptions(places[index]),
        apps: hasApps,
        inputRequests: ['elicitation', 'sampling', 'roots'],
      },
    ]);
    const gateway = await bootGateway({
      options: { tasks: true },
      servers: Object.fromEntries(options) as { [name: string]: GatewayServerOptions },
    });
    this.#gateway = gateway;
    const countReady = () => gateway.gateway.servers.filter(({ state }) => state === 'ready').length;
    const describe = () => JSON.stringify(gateway.gateway.servers.filter(({ state }) => state !== 'ready'));
    await until(() => countReady() === servers.length, describe, START_MS, countReady);
  }

  /** Starts a server, and uses it without the gateway. */
  async #examine(server: PublishedServer): Promise<Place> {
    const place = await this.#place(server);
    try {
      const client = await OfficialClient.connectDirectly(place, this.#folder);
      try {
        const listed = await client.list();
        const results: object[] = [];
        for (const question of server.questions) results.push(await client.ask(question));
        this.#known.set(server.name, { listed, results });
      } finally {
        await client.close();
      }
    } catch (cause) {
      throw new Error(`The server "${server.name}" cannot be used`, { cause });
    }
    return place;
  }

  async #place({ file, options = [], environment = {}, path, isSse }: PublishedServer): Promise<Place> {
    if (path === undefined) {
      return { command: process.execPath, args: [file, ...options], cwd: this.#folder, env: environment };
    }
    const port = await this.#findPort();
    const program = new NodeProgram(file, { PORT: String(port), ...environment }, [], options);
    this.#programs.push(program);
    const url = `http://127.0.0.1:${port}${path}`;
    const isOpen = () =>
      fetch(url, { method: 'OPTIONS' }).then(
        () => true,
        () => false,
      );
    await until(isOpen, () => `${file}\n${program.stdout}${program.stderr}`, START_MS);
    return { url, ...(isSse && { isSse }) };
  }

  async #findPort(): Promise<number> {
    for (;;) {
      const port = await findFreePort();
      if (this.#ports.has(port)) continue;
      this.#ports.add(port);
      return port;
    }
  }
}

function buildOptions(place: Place | undefined): GatewayServerOptions {
  if (place === undefined || 'url' in place) return { url: place?.url ?? '' };
  return { ...place, stderr: 'ignore' };
}

/** What the memory server remembers. */
const GRAPH = [
  { type: 'entity', name: 'Ada', entityType: 'person', observations: ['counts'] },
  { type: 'entity', name: 'Bob', entityType: 'person', observations: ['reads'] },
  { type: 'relation', from: 'Ada', to: 'Bob', relationType: 'knows' },
];
