import { Logger, type OnApplicationShutdown } from '@nestjs/common';
import pg from 'pg';
import { Observable } from 'rxjs';
import type { Database } from './database.js';

/** A Postgres server: a pool for statements, a connection of its own for each channel. */
export class PostgresDatabase implements Database, OnApplicationShutdown {
  private readonly logger = new Logger(PostgresDatabase.name);

  private constructor(
    private readonly url: string,
    private readonly pool: pg.Pool,
  ) {
    pool.on('error', (error) => this.logger.warn(`An idle connection was lost: ${error.message}`));
  }

  static async connect(url: string): Promise<PostgresDatabase> {
    const pool = new pg.Pool({ connectionString: url, connectionTimeoutMillis: 5000 });
    await pool.query('select 1');
    return new PostgresDatabase(url, pool);
  }

  async query<Row>(statement: string, parameters: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.pool.query(statement, [...parameters]);
    return rows as Row[];
  }

  async run(script: string): Promise<void> {
    await this.pool.query(script);
  }

  listen(channel: string): Observable<string> {
    return new Observable((subscriber) => {
      const connection = new pg.Client({ connectionString: this.url });
      connection.on('notification', ({ payload = '' }) => subscriber.next(payload));
      connection.on('error', (error) => subscriber.error(error));
      connection
        .connect()
        .then(() => connection.query(`listen ${connection.escapeIdentifier(channel)}`))
        .catch((error: unknown) => subscriber.error(error));
      return () => void connection.end().catch(() => undefined);
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}
