import { Module } from '@nestjs/common';
import { Database } from './database.js';
import { PgliteDatabase } from './pglite.database.js';
import { PostgresDatabase } from './postgres.database.js';
import { SCHEMA } from './schema.js';
import { SEED } from './seed.js';

@Module({
  providers: [{ provide: Database, useFactory: openDatabase }],
  exports: [Database],
})
export class DatabaseModule {}

async function openDatabase(): Promise<Database> {
  const database = await connect(process.env['DATABASE_URL'] ?? 'memory://');
  await database.run(SCHEMA);
  await database.run(SEED);
  return database;
}

function connect(url: string): Promise<Database> {
  if (/^postgres(ql)?:/.test(url)) return PostgresDatabase.connect(url);
  if (/^(memory|file):/.test(url)) return PgliteDatabase.open(url);
  throw new Error('"DATABASE_URL" must start with postgres://, file:// or memory://');
}
