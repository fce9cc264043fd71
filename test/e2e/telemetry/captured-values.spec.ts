import { afterEach, describe, expect, it } from '@jest/globals';
import type { TelemetryOptions } from 'nestjs-mcp';
import { perRequest } from '../../support/clients/json-rpc.js';
import { bootRecordedDesk, type RecordedDesk } from './recorded-desk.js';

describe('Arguments and results on spans', () => {
  let desk: RecordedDesk;

  afterEach(async () => {
    await desk.close();
    await desk.metrics.stop();
  });

  async function record(telemetry: TelemetryOptions, text = 'secret') {
    desk = await bootRecordedDesk({ telemetry });
    const client = perRequest(desk.url);
    const { response } = await client.request('tools/call', { name: 'echo', arguments: { text } });
    await client.request('tools/call', { name: 'refuse' });
    await client.request('prompts/get', { name: 'greet', arguments: { name: 'Ada' } });
    const [call, refused, prompt] = await Promise.all(
      ['tools/call echo', 'tools/call refuse', 'prompts/get greet'].map((name) => desk.traces.span(name)),
    );
    return {
      answer: JSON.stringify(response),
      call: call?.attributes ?? {},
      refused: refused?.attributes ?? {},
      prompt: prompt?.attributes ?? {},
    };
  }

  it('are not there unless they are asked for (OPS-01)', async () => {
    const { call, prompt } = await record({});
    expect(JSON.stringify([call, prompt])).not.toMatch(/secret|Ada/);
  });

  it('are there if they are asked for, as JSON (OPS-01)', async () => {
    const { call, refused, prompt } = await record({ captureArguments: true, captureResults: true });
    expect(call['gen_ai.tool.call.arguments']).toBe('{"text":"secret"}');
    expect(JSON.parse(String(call['gen_ai.tool.call.result']))).toMatchObject({
      content: [{ text: 'secret' }],
    });
    expect(refused).not.toHaveProperty(['gen_ai.tool.call.result']);
    expect(prompt['gen_ai.prompt.variable.name']).toBe('Ada');
  });

  it('are what the redactor gives (OPS-01)', async () => {
    const { call } = await record({
      captureArguments: true,
      captureResults: true,
      redact: (_value, { kind, target }) => (kind === 'arguments' ? { seen: target } : undefined),
    });
    expect(call['gen_ai.tool.call.arguments']).toBe('{"seen":"echo"}');
    expect(call).not.toHaveProperty(['gen_ai.tool.call.result']);
  });

  it('stay as they are for the call, whatever a redactor takes away (OPS-01)', async () => {
    const redact = (value: unknown): unknown => {
      delete (value as { text?: string }).text;
      delete (value as { content?: unknown }).content;
      return value;
    };
    const { call, answer } = await record({ captureArguments: true, captureResults: true, redact });
    expect(call['gen_ai.tool.call.arguments']).toBe('{}');
    expect(answer).toContain('secret');
  });

  it('are left out if the redactor fails (OPS-01)', async () => {
    const redact = () => {
      throw new Error('no idea');
    };
    const { call } = await record({ captureArguments: true, captureResults: true, redact });
    expect(JSON.stringify(call)).not.toContain('secret');
  });

  it('are left out if the redactor is asynchronous, and nobody hears of what it rejects with (OPS-01)', async () => {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    const redact = async (): Promise<never> => {
      throw new Error('no idea');
    };
    const { call } = await record({ captureArguments: true, captureResults: true, redact });
    // A rejection that nobody hears of ends a process in a later turn.
    await new Promise((resolve) => setTimeout(resolve, 0));
    process.off('unhandledRejection', note);
    expect(call).not.toHaveProperty(['gen_ai.tool.call.arguments']);
    expect(unhandled).toEqual([]);
  });

  it('are cut to a length that exporters take (OPS-01)', async () => {
    const { call } = await record({ captureArguments: true }, 'x'.repeat(100_000));
    expect(String(call['gen_ai.tool.call.arguments']).length).toBeLessThanOrEqual(4096);
  });
});
