import { RedisServer } from './redis-server.js';
import { until } from '../until.js';

const SLOTS = 16_384;

/** Longer than a test has a node hang: the others would give it up, and take some time to trust it again. */
const NODE_TIMEOUT_MS = 60_000;

/** A Redis Cluster of three nodes, each of which has a third of the slots. */
export class RedisNodes {
  private constructor(readonly servers: readonly RedisServer[]) {}

  static async start(): Promise<RedisNodes> {
    const settings = ['--cluster-enabled', 'yes', '--cluster-node-timeout', `${NODE_TIMEOUT_MS}`];
    const servers = await Promise.all(Array.from({ length: 3 }, () => RedisServer.start({ settings })));
    const nodes = new RedisNodes(servers);
    const [first] = servers as [RedisServer, ...RedisServer[]];
    for (const [index, server] of servers.entries()) {
      const [from = 0, to = 0] = [index, index + 1].map((part) =>
        Math.floor((SLOTS * part) / servers.length),
      );
      const slots = Array.from({ length: to - from }, (_, slot) => from + slot);
      await server.send('CLUSTER', 'ADDSLOTS', ...slots);
      await server.send('CLUSTER', 'MEET', '127.0.0.1', `${first.port}`);
    }
    await until(() => nodes.isWhole(), 'the cluster', 30_000);
    return nodes;
  }

  get addresses(): readonly { readonly host: string; readonly port: number }[] {
    return this.servers.map(({ port }) => ({ host: '127.0.0.1', port }));
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
