/** The number of ended subscriptions whose versions are remembered. */
const MOST_ENDED = 100;

/** The known facts about a field. */
interface Setting {
  readonly version: number;
  readonly process: string | undefined;
  /** Whether the log contains the change. If so, the record contains it too, unless it was lost or overwritten. */
  isLogged: boolean;
}

/**
 * The versions of a session's settings, one per record field. After a network partition, processes compare them, and
 * the newest wins. A version is a time on the shared clock, but always later than every version that the process
 * knew, so that clock skew cannot reverse the order.
 */
export class SettingVersions {
  // In most sessions, the client changes no settings.
  #settings: Map<string, Setting> | undefined;
  #ended: Set<string> | undefined;
  #newest = 0;

  /** A field's version; 0 if it is not known. */
  find(field: string): number {
    return this.#settings?.get(field)?.version ?? 0;
  }

  /** The process through which the client set a field; absent if unknown. */
  findProcess(field: string): string | undefined {
    return this.#settings?.get(field)?.process;
  }

  /** The fields of ended subscriptions. */
  get ended(): readonly string[] {
    return [...(this.#ended ?? [])];
  }

  /** Increments a field's version. */
  raise(field: string, now: number, process: string): number {
    const version = Math.max(this.#newest + 1, Math.round(now));
    this.note(field, version, process);
    return version;
  }

  /** Records a field's version. Returns whether it is at least as new as the known one. */
  note(field: string, version: number, process?: string): boolean {
    const known = this.find(field);
    if (version <= known) return version === known;
    this.#settings ??= new Map();
    this.#settings.set(field, { version, process, isLogged: false });
    this.#newest = Math.max(this.#newest, version);
    return true;
  }

  /** Records that the log contains a field's newest version. */
  setLogged(field: string): void {
    const setting = this.#settings?.get(field);
    if (setting !== undefined) setting.isLogged = true;
  }

  /** Whether the log contains a field's newest version. A change in transit does not have to be repeated. */
  isLogged(field: string): boolean {
    return this.#settings?.get(field)?.isLogged === true;
  }

  /** Records whether a subscription has ended, so that outdated processes cannot restore it. */
  setEnded(field: string, hasEnded: boolean): void {
    this.#ended?.delete(field);
    if (!hasEnded || this.find(field) === 0) return;
    this.#ended ??= new Set();
    this.#ended.add(field);
    const [oldest] = this.#ended.size > MOST_ENDED ? this.#ended : [];
    if (oldest === undefined) return;
    this.#ended.delete(oldest);
    this.#settings?.delete(oldest);
  }
}
