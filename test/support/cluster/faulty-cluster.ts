import type { Cluster, ClusterConnection, ClusterMember } from 'nestjs-mcp';
import { Keyring } from '../../../lib/core/sealing/keyring.js';
import { Envelopes } from '../../../lib/server/cluster/envelopes.js';

/** What goes wrong with one process. */
interface Faults {
  /** It is neither told anything, nor counted: it was killed. */
  isDead: boolean;
  /** It is counted and sent messages, and takes none: it was stopped. */
  isStopped: boolean;
  /** Tells of each message that it is sent, as it was before it was encrypted, whether it gets lost. */
  loses: (text: string) => boolean;
}

/** An engine whose members, and which itself, can fail as those do that processes have over a network. */
export class FaultyCluster implements Cluster {
  /** Whether nobody reaches the engine. */
  isAway = false;
  readonly #faults = new Map<string, Faults>();
  readonly #sent: string[] = [];

  /** @param secret by which its members encrypt what they send */
  constructor(
    private readonly engine: Cluster,
    private readonly secret: string,
  ) {}

  /** The members, in the order in which they joined. */
  get ids(): readonly string[] {
    return [...this.#faults.keys()];
  }

  /** The messages that members sent one another, as they were before they were encrypted. */
  get sent(): readonly string[] {
    return this.#sent;
  }

  /** What goes wrong with the process that joined as that one, counted from 0. */
  faultsOf(index: number): Faults {
    const faults = this.#faults.get(this.ids[index] ?? '');
    if (faults === undefined) throw new Error(`No process ${index} has joined`);
    return faults;
  }

  async join(member: ClusterMember): Promise<ClusterConnection> {
    const faults: Faults = { isDead: false, isStopped: false, loses: () => false };
    this.#faults.set(member.id, faults);
    const scope = { prefix: '', path: member.server };
    const envelopes = new Envelopes(new Keyring([this.secret], scope), member.server);
    const open = (text: string) => JSON.stringify(envelopes.open(text, 'inbox'));
    const connection = await this.engine.join({
      ...member,
      onMessage: (text) => {
        if (!faults.isDead && !faults.isStopped && !faults.loses(open(text))) member.onMessage(text);
      },
    });
    return this.#guard(connection, faults, open);
  }

  #guard(connection: ClusterConnection, own: Faults, open: (text: string) => string): ClusterConnection {
    const isAway = () => this.isAway || own.isDead;
    const reach = async <T>(act: () => Promise<T>): Promise<T> => {
      if (isAway()) throw new Error('The cluster is unavailable');
      return act();
    };
    const isDead = (id: string) => this.#faults.get(id)?.isDead === true;
    return {
      get isConnected() {
        return !isAway();
      },
      get position() {
        return connection.position;
      },
      get figures() {
        return connection.figures;
      },
      append: (...given) => reach(() => connection.append(...given)),
      read: (...given) => reach(() => connection.read(...given)),
      send: (text, to) =>
        reach(async () => {
          this.#sent.push(open(text));
          return to !== undefined && isDead(to) ? 0 : connection.send(text, to);
        }),
      find: (key) => reach(() => connection.find(key)),
      change: (change) => reach(() => connection.change(change)),
      swap: (swap) => reach(() => connection.swap(swap)),
      lease: (...given) => reach(() => connection.lease(...given)),
      release: (name) => reach(() => connection.release(name)),
      members: () => reach(async () => (await connection.members()).filter((id) => !isDead(id))),
      close: () => connection.close(),
    };
  }
}
