import { describe, expect, it } from '@jest/globals';
import { Journal } from '../../../explorer/connection/journal.js';

const request = (id: number, method = 'tools/call', params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});
const answer = (id: number, result: object = {}) => ({ jsonrpc: '2.0', id, result });

describe('The messages that the explorer notes', () => {
  it('are requests, results, errors and notifications, with what they answer (WAY-02)', () => {
    const journal = new Journal();
    journal.note('sent', request(1));
    journal.note('sent', request(2, 'tools/list'));
    journal.note('received', { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info' } });
    journal.note('received', answer(2));
    journal.note('received', { jsonrpc: '2.0', id: 1, error: { code: -32603, message: 'no' } });
    const { messages } = journal;
    expect(messages.map(({ kind, method }) => `${kind} ${method}`)).toEqual([
      'error tools/call',
      'result tools/list',
      'notification notifications/message',
      'request tools/list',
      'request tools/call',
    ]);
    expect(messages.map(({ ms }) => typeof ms)).toEqual([
      'number',
      'number',
      'undefined',
      'undefined',
      'undefined',
    ]);
    expect(journal.notices).toMatchObject([{ method: 'notifications/message', params: { level: 'info' } }]);
  });

  it('keep requests of the server apart from those of the page with the same id (WAY-02)', () => {
    const journal = new Journal();
    journal.note('sent', request(0, 'tools/call'));
    journal.note('received', request(0, 'roots/list'));
    journal.note('sent', answer(0, { roots: [] }));
    journal.note('received', answer(0, { content: [] }));
    expect(journal.messages.map(({ kind, method }) => `${kind} ${method}`).slice(0, 2)).toEqual([
      'result tools/call',
      'result roots/list',
    ]);
  });

  it('have their size in bytes (WAY-02)', () => {
    const journal = new Journal();
    journal.note('sent', { a: 'é' });
    expect(journal.messages[0]?.bytes).toBe(10);
  });

  it('give the exchange of a method after a message, by the last request of it (WAY-02)', () => {
    const journal = new Journal();
    journal.note('sent', request(1));
    const { lastId } = journal;
    expect(journal.findExchange('tools/call', lastId)).toBeUndefined();
    journal.note('sent', request(2));
    expect(journal.findExchange('tools/call', lastId)).toMatchObject({ answer: undefined });
    journal.note('received', answer(2, { content: ['last'] }));
    expect(journal.findExchange('tools/call', lastId)).toMatchObject({
      request: { message: { id: 2 } },
      answer: { message: { result: { content: ['last'] } } },
    });
  });

  it('take no answer of another connection (WAY-02)', () => {
    const journal = new Journal();
    journal.note('sent', request(1));
    journal.begin();
    journal.note('received', answer(1));
    expect(journal.messages[0]).toMatchObject({ kind: 'result', method: '', answers: undefined });
  });

  it('are bounded by number and by bytes, and cleared (WAY-02)', () => {
    const journal = new Journal();
    for (let id = 1; id <= 510; id += 1) journal.note('sent', request(id));
    expect(journal.messages).toHaveLength(500);
    expect(journal.messages[0]?.message).toMatchObject({ id: 510 });
    for (let id = 1; id <= 5; id += 1) journal.note('received', answer(id, { text: 'a'.repeat(6_000_000) }));
    expect(journal.messages).toHaveLength(2);
    journal.clear();
    expect(journal.messages).toEqual([]);
    journal.note('sent', request(1));
    expect(journal.messages).toHaveLength(1);
  });

  it('are taken whatever they are (WAY-02)', () => {
    const journal = new Journal();
    for (const odd of [null, 7, 'text', [], {}, { method: 7 }]) journal.note('received', odd);
    expect(journal.messages).toHaveLength(6);
    expect(journal.notices).toEqual([]);
  });
});
