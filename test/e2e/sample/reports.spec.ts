import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { start, type Started } from '../../../sample/04-reports/start.js';
import { isGenuine } from '../../../sample/04-reports/demo/verify-webhook.js';
import { signMessage } from '../../../lib/server/extensions/events/webhooks/sign-message.js';
import { perRequest } from '../../support/clients/json-rpc.js';
import type { JsonObject } from '../../support/clients/message.js';
import { until } from '../../support/until.js';
import { WEBHOOK_SECRET } from '../../support/webhook-receiver.js';

const TOKEN = 'the-token-of-the-office';
const TASKS = { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } };
const ORDER = { name: 'write_report', arguments: { topic: 'the harbour' } };

describe('the sample 04-reports', () => {
  let office: Started;

  beforeAll(async () => {
    office = await start(0, { token: TOKEN, chapterMs: 1 });
  });

  afterAll(() => office.app.close());

  async function call(method: string, params: JsonObject, capabilities: JsonObject = TASKS) {
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      ...(typeof params['taskId'] === 'string' && { 'mcp-name': params['taskId'] }),
    };
    return perRequest(office.url.href, { headers, capabilities }).request(method, params);
  }

  /** Orders a report and answers its question; gives what it comes to. */
  async function write(answer: JsonObject): Promise<JsonObject> {
    const { result: { taskId } = {} } = await call('tools/call', ORDER);
    const findIn = (status: string) => async () => {
      const { result = {} } = await call('tasks/get', { taskId });
      return result['status'] === status && result;
    };
    await until(findIn('input_required'), 'the question');
    await call('tasks/update', { taskId, inputResponses: { format: answer } });
    const { result } = await until(findIn('completed'), 'the report');
    return result as JsonObject;
  }

  it('writes a report in the format that the user wants (TASK-01)', async () => {
    const report = await write({ action: 'accept', content: { format: 'html' } });
    expect(report['structuredContent']).toMatchObject({ topic: 'the harbour', format: 'html' });
    expect(String((report['structuredContent'] as JsonObject)['text']).split('\n')).toHaveLength(6);
  });

  it('leaves a report unfinished that the user does not want (TASK-01)', async () => {
    const report = await write({ action: 'decline' });
    expect(report['content']).toMatchObject([{ text: expect.stringContaining('was left unfinished') }]);
  });

  it('lists finished reports for clients that know its archive (EXT-01) (EXT-03)', async () => {
    await write({ action: 'accept', content: { format: 'text' } });
    const { result } = await call('archive/list', {}, { extensions: { 'com.example/report-archive': {} } });
    expect(result?.['reports']).toContainEqual({ number: expect.any(String), topic: 'the harbour' });
    expect((await call('archive/list', {})).error).toMatchObject({ code: -32021 });
  });

  it('tells a client that knows of no tasks what it needs (TASK-01)', async () => {
    const { error } = await call('tools/call', ORDER, { elicitation: {} });
    expect(error).toMatchObject({ code: -32021 });
  });
});

describe('the receiver of the sample 04-reports', () => {
  const body = Buffer.from('{"name":"report.finished"}');
  const key = Buffer.from(WEBHOOK_SECRET.replace('whsec_', ''), 'base64');
  const signedAt = (sentAt: number) => signMessage({ id: 'R-1', body, sentAt }, [key]);

  it('believes what is signed, by one key of several (EVT-01)', () => {
    const headers = signMessage({ id: 'R-1', body, sentAt: Date.now() }, [Buffer.alloc(32), key]);
    expect(isGenuine(headers, body, WEBHOOK_SECRET)).toBe(true);
  });

  it.each([
    { what: 'was changed', headers: signedAt(Date.now()), sent: Buffer.from('{}') },
    { what: 'is old', headers: signedAt(Date.now() - 6 * 60_000), sent: body },
    { what: 'is of the future', headers: signedAt(Date.now() + 6 * 60_000), sent: body },
    { what: 'has another id', headers: { ...signedAt(Date.now()), 'webhook-id': 'R-2' }, sent: body },
    { what: 'is not signed', headers: {}, sent: body },
  ])('does not believe what $what (EVT-01)', ({ headers, sent }) => {
    expect(isGenuine(headers, sent, WEBHOOK_SECRET)).toBe(false);
  });
});
