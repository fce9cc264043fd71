import pg from 'pg';
import { connect } from './connect.js';

/** Changes a ticket behind the first client's back: in the database itself where that is a server, else as a second client. */
export async function changeTicket(url: URL, id: string): Promise<string> {
  const database = process.env['DATABASE_URL'] ?? '';
  if (/^postgres(ql)?:/.test(database)) {
    await changeInDatabase(database, id);
    return 'a second SQL connection';
  }
  const second = await connect(url, 'second-client');
  await second.callTool({
    name: 'close_ticket',
    arguments: { id, resolution: 'Solved while the first client looked on.' },
  });
  await second.close();
  return 'a second client';
}

async function changeInDatabase(url: string, id: string): Promise<void> {
  const connection = new pg.Client({ connectionString: url });
  await connection.connect();
  await connection.query(
    `update desk.tickets set status = 'closed', closed_at = now(), resolution = 'Solved in the database.' where id = $1`,
    [id],
  );
  await connection.end();
}
