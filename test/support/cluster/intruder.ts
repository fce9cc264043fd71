import type { Cluster, ClusterConnection } from 'nestjs-mcp';

/** Somebody who has no secret, and reads and writes what the engine of the server at `/mcp` keeps. */
export class Intruder {
  /** Entries of the log as the engine has them. */
  readonly texts: string[] = [];
  /** Messages to all processes, as the engine passes them on. */
  readonly messages: string[] = [];
  connection!: ClusterConnection;

  static async join(cluster: Cluster): Promise<Intruder> {
    const intruder = new Intruder();
    const ignore = () => undefined;
    intruder.connection = await cluster.join({
      id: 'intruder',
      server: '/mcp',
      onEntry: ({ text }) => void intruder.texts.push(text),
      onMessage: (text) => void intruder.messages.push(text),
      onGap: ignore,
      onConnection: ignore,
    });
    return intruder;
  }
}
