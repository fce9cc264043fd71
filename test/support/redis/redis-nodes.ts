import { findFreePort } from '../../conformance/find-free-port.js';
import { RedisServer } from './redis-server.js';
import { until } from '../until.js';

const SLOTS = 16_384;

/** Longer than a test has a node hang: the others would give it up, and take some time to trust it again. */
const NODE_TIMEOUT_MS = 60_000;

export interface RedisNodesOptions {
  /** The password of the user `default`. @default none */
  readonly password?: string;
  /** Settings with the files of a certificate, with which nodes and clients speak TLS. @default no TLS */
  readonly certificate?: readonly string[];
}

/** A Redis Cluster of three nodes, each of which has a third of the slots. */
export class RedisNodes {
  private constructor(
    readonly servers: readonly RedisServer[],
    /** Where clients connect: over TLS, if the nodes have a certificate. */
    readonly ports: readonly number[],
  ) {}

  static async start({ certificate, ...options }: RedisNodesOptions = {}): Promise<RedisNodes> {
    const settings = ['--cluster-enabled', 'yes', '--cluster-node-timeout', `${NODE_TIMEOUT_MS}`];
    const begun = Array.from({ length: 3 }, async (): Promise<readonly [RedisServer, number]> => {
      const port = await findFreePort();
      if (certificate === undefined) return [await RedisServer.start({ ...options, settings, port }), port];
      const secure = ['--tls-cluster', 'yes', '--tls-port', `${port}`, ...certificate];
      return [await RedisServer.start({ ...options, settings: [...settings, ...secure] }), port];
    });
    const started = await Promise.all(begun);
    const servers = started.map(([server]) => server);
    const nodes = new RedisNodes(
      servers,
      started.map(([, port]) => port),
    );
    for (const [index, server] of servers.entries()) {
      const [from = 0, to = 0] = [index, index + 1].map((part) =>
        Math.floor((SLOTS * part) / servers.length),
      );
      const slots = Array.from({ length: to - from }, (_, slot) => from + slot);
      await server.send('CLUSTER', 'ADDSLOTS', ...slots);
      await server.send('CLUSTER', 'MEET', '127.0.0.1', `${nodes.ports[0]}`);
    }
    await until(() => nodes.isWhole(), 'the cluster', 30_000);
    return nodes;
  }

  get addresses(): readonly { readonly host: string; readonly port: number }[] {
    return this.ports.map((port) => ({ host: '127.0.0.1', port }));
  }

  /** Finds the node that has a key. */
  async findNode(pattern: string): Promise<RedisServer | undefined> {
    for (const server of this.servers) {
      const keys = (await server.send('KEYS', pattern)) as readonly string[];
      if (keys.length > 0) return server;
    }
    return undefined;
  }

  async isWhole(): Promise<boolean> {
    const infos = await Promise.all(this.servers.map((server) => server.send('CLUSTER', 'INFO')));
    return infos.every((info) => /cluster_state:ok[^]*cluster_known_nodes:3/.test(String(info)));
  }

  async stop(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.stop()));
  }
}
