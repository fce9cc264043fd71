import { PGlite } from '@electric-sql/pglite';
import type { OnApplicationShutdown } from '@nestjs/common';
import { Observable } from 'rxjs';
import type { Database } from './database.js';

/** Postgres within this process: `memory://`, or `file://` and a folder. */
export class PgliteDatabase implements Database, OnApplicationShutdown {
  private constructor(private readonly postgres: PGlite) {}

  static async open(url: string): Promise<PgliteDatabase> {
    return new PgliteDatabase(await PGlite.create(url));
  }

  async query<Row>(statement: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.postgres.query<Row>(statement, [...parameters]);
    return rows;
  }

  async run(script: string): Promise<void> {
    await this.postgres.exec(script);
  }

  listen(channel: string): Observable<string> {
    return new Observable((subscriber) => {
      const listening = this.postgres.listen(channel, (payload) => subscriber.next(payload));
      listening.catch((error: unknown) => subscriber.error(error));
      return () => void listening.then((stop) => stop()).catch(() => undefined);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.postgres.close();
  }
}
