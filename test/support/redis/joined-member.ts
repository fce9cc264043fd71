import { randomBytes } from 'node:crypto';
import type { Cluster, ClusterConnection, ClusterEntry, ClusterMember } from 'nestjs-mcp';
import { until } from '../until.js';

/** A process that has joined a cluster, and all that it was told, in order. */
export class JoinedMember implements ClusterMember {
  readonly id = randomBytes(6).toString('hex');
  /** Texts of entries, `<text` for messages, `gap`, `up` and `down`. */
  readonly told: string[] = [];
  readonly entries: ClusterEntry[] = [];
  connection!: ClusterConnection;

  private constructor(readonly server: string) {}

  static async join(cluster: Cluster, server = '/mcp'): Promise<JoinedMember> {
    const member = new JoinedMember(server);
    member.connection = await cluster.join(member);
    return member;
  }

  onEntry(entry: ClusterEntry): void {
    this.entries.push(entry);
    this.told.push(entry.text);
  }

  onMessage(text: string): void {
    this.told.push(`<${text}`);
  }

  onGap(): void {
    this.told.push('gap');
  }

  onConnection(isConnected: boolean): void {
    this.told.push(isConnected ? 'up' : 'down');
  }

  async hears(what: string): Promise<void> {
    await until(
      () => this.told.includes(what),
      () => `"${what}" after ${this.told.slice(-20).join(', ')}`,
    );
  }

  async isUp(): Promise<void> {
    await until(
      () => this.connection.isConnected,
      () => `the connection after ${this.told.slice(-20).join(', ')}`,
    );
  }

  async isDown(): Promise<void> {
    await until(() => !this.connection.isConnected, 'the loss of the connection');
  }
}
