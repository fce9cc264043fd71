import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '../../support/until.js';
import { DeskProgram } from './desk-program.js';
import { connectV1, connectV2, type Connection } from './official-clients.js';

const CLIENTS = [
  { client: '@modelcontextprotocol/sdk', revision: '2025-11-25', connect: connectV1 },
  {
    client: '@modelcontextprotocol/client with a handshake',
    revision: '2025-11-25',
    connect: (url: string) => connectV2(url, 'legacy'),
  },
  {
    client: '@modelcontextprotocol/client without a handshake',
    revision: '2026-07-28',
    connect: (url: string) => connectV2(url, 'auto'),
  },
];

let desk: DeskProgram;

beforeAll(async () => {
  desk = await DeskProgram.start();
});

afterAll(() => desk.stop());

describe.each(CLIENTS)('the sample 01-desk with $client', ({ revision, connect }) => {
  let connection: Connection;

  beforeEach(async () => {
    connection = await connect(desk.url);
  });

  afterEach(() => connection.close());

  async function openTicket(): Promise<string> {
    const { structuredContent } = await connection.call('open_ticket', {
      subject: 'Drawer does not close',
      description: 'The cash drawer opens again by itself.',
      customer: 'blue-kettle-cafe',
    });
    return (structuredContent as { id: string }).id;
  }

  it('connects in the newest revision that both know (VER-01, VER-02)', () => {
    expect(connection.revision).toBe(revision);
  });

  it('lists what the desk offers (MOD-01, CORE-03)', async () => {
    expect(await connection.listTools()).toEqual(
      expect.arrayContaining(['search_tickets', 'open_ticket', 'close_ticket', 'audit_desk']),
    );
    expect(await connection.listResources()).toEqual(['desk://tickets']);
    expect(await connection.listTemplates()).toEqual(
      expect.arrayContaining(['desk://tickets/{id}', 'desk://customers/{customer}/tickets']),
    );
    expect(await connection.listPrompts()).toEqual(['triage_ticket']);
  });

  it('searches with structured content (CORE-06, MOD-08)', async () => {
    const { structuredContent } = await connection.call('search_tickets', { text: 'time zone' });
    expect(structuredContent).toMatchObject({ total: 1, tickets: [{ customer: 'tidewater-clinic' }] });
  });

  it('tells a model what is wrong with its arguments (MOD-07, CORE-05)', async () => {
    const { isError, content } = await connection.call('close_ticket', { id: 'seven' });
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toMatch(/id.*resolution/s);
  });

  it('reports the progress of a long call (PROG-01)', async () => {
    const seen: number[] = [];
    const { structuredContent } = await connection.call(
      'audit_desk',
      { paceMs: 1 },
      { onprogress: ({ progress }) => seen.push(progress) },
    );
    const { audited } = structuredContent as { audited: number };
    expect(seen).toEqual(Array.from({ length: audited }, (_, index) => index + 1));
  });

  it('reads a ticket, and hears when it is closed (CORE-03, NOTE-04, NOTE-08)', async () => {
    const id = await openTicket();
    const uri = `desk://tickets/${id}`;
    expect(JSON.parse(await connection.read(uri))).toMatchObject({ id, status: 'open' });
    await connection.subscribe(uri);
    await connection.call('close_ticket', { id, resolution: 'Spring of the drawer replaced.' });
    await until(() => connection.updates.includes(uri), 'the update');
    expect(JSON.parse(await connection.read(uri))).toMatchObject({ id, status: 'closed' });
  });

  it('refuses to close a ticket twice, and says what to do (CORE-05)', async () => {
    const id = await openTicket();
    await connection.call('close_ticket', { id, resolution: 'Spring of the drawer replaced.' });
    const { isError, content } = await connection.call('close_ticket', { id, resolution: 'Once more.' });
    expect(isError).toBe(true);
    expect(JSON.stringify(content)).toContain('open another ticket that refers to it instead');
  });

  it('completes arguments of prompts and templates (CORE-03)', async () => {
    expect(await connection.completePrompt('triage_ticket', 'team', 'b')).toEqual(['billing']);
    expect(await connection.completeTemplate('desk://tickets/{id}', 'id', 't-1001')).toEqual(['T-1001']);
    const customers = await connection.completeTemplate(
      'desk://customers/{customer}/tickets',
      'customer',
      'o',
    );
    expect(customers).toEqual(['orchard-school']);
  });

  it('embeds the ticket in the prompt (CORE-06)', async () => {
    const messages = await connection.getPrompt('triage_ticket', { id: 'T-1005' });
    expect(messages).toContain('desk://tickets/T-1005');
  });

  it('answers that a ticket does not exist (CORE-03)', async () => {
    await expect(connection.read('desk://tickets/T-9999')).rejects.toThrow('T-9999');
  });
});
