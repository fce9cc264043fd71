import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster, ClusterConnection, ClusterEntry, ClusterMember } from '../../../index.js';

/** The tools for a check, each of which has its own server. */
export interface CheckContext {
  /** Joins as another of the server's processes, or as a process of another server with a suffixed name. */
  join(other?: string): Promise<CheckedMember>;
}

/** The guarantees of the public interface, and the checks that verify them. */
export type ClusterChecks = Readonly<Record<string, (scene: CheckContext) => Promise<void>>>;

const LONGEST_WAIT_MS = 10_000;

/** A process that joins, and records what it receives. */
export class CheckedMember implements ClusterMember {
  readonly id = randomBytes(6).toString('hex');
  readonly entries: ClusterEntry[] = [];
  readonly messages: string[] = [];
  gaps = 0;
  connection!: ClusterConnection;

  private constructor(readonly server: string) {}

  static async join(cluster: Cluster, server: string): Promise<CheckedMember> {
    const member = new CheckedMember(server);
    member.connection = await cluster.join(member);
    return member;
  }

  get texts(): readonly string[] {
    return this.entries.map(({ text }) => text);
  }

  onEntry(entry: ClusterEntry): void {
    this.entries.push(entry);
  }

  onMessage(text: string): void {
    this.messages.push(text);
  }

  onGap(): void {
    this.gaps += 1;
  }

  onConnection(): void {}
}

/** Waits until a condition is met. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + LONGEST_WAIT_MS;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`Waited ${LONGEST_WAIT_MS} ms for ${what}`);
    await delay(5);
  }
}
