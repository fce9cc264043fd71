import type { Observable } from 'rxjs';

/** What the desk asks of a Postgres, and the name under which Nest injects it: `DATABASE_URL` decides which one it is. */
export abstract class Database {
  /** Runs one statement; `$1`, `$2`… stand for the parameters. */
  abstract query<Row>(statement: string, parameters?: readonly unknown[]): Promise<Row[]>;

  /** Runs a script of several statements. */
  abstract run(script: string): Promise<void>;

  /** Emits the payload of each NOTIFY on a channel, for as long as someone listens. */
  abstract listen(channel: string): Observable<string>;
}
