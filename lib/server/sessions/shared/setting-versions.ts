/** Ended subscriptions whose versions are remembered. */
const MOST_ENDED = 100;

/** What is known of a field. */
interface Setting {
  readonly version: number;
  readonly process: string | undefined;
  /** Whether the log has the change: then the record has it too, unless that was lost or overwritten. */
  isLogged: boolean;
}

/**
 * The versions of a session's settings, one per field of the record. After a network partition, processes compare them, and
 * the newest wins. A version is a time of the shared clock, but always later than every version that the process knew, so
 * that clock skew cannot reverse the order.
 */
export class SettingVersions {
  // Clients of most sessions settle nothing.
  #settings: Map<string, Setting> | undefined;
  #ended: Set<string> | undefined;
  #newest = 0;

  /** The version of a field; 0 if it is not known. */
  find(field: string): number {
    return this.#settings?.get(field)?.version ?? 0;
  }

  /** The process at which the client settled a field; absent if that is not known. */
  findProcess(field: string): string | undefined {
    return this.#settings?.get(field)?.process;
  }

  /** Fields of subscriptions that have ended. */
  get ended(): readonly string[] {
    return [...(this.#ended ?? [])];
  }

  /** Increments the version of a field. */
  raise(field: string, now: number, process: string): number {
    const version = Math.max(this.#newest + 1, Math.round(now));
    this.note(field, version, process);
    return version;
  }

  /** Records the version of a field. Returns whether it is at least as new as the known one. */
  note(field: string, version: number, process?: string): boolean {
    const known = this.find(field);
    if (version <= known) return version === known;
    this.#settings ??= new Map();
    this.#settings.set(field, { version, process, isLogged: false });
    this.#newest = Math.max(this.#newest, version);
    return true;
  }

  /** Records that the log has the newest version of a field. */
  setLogged(field: string): void {
    const setting = this.#settings?.get(field);
    if (setting !== undefined) setting.isLogged = true;
  }

  /** Whether the log has the newest version of a field. A change in transit needs no repetition. */
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
