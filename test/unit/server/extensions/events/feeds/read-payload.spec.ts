import { describe, expect, it } from '@jest/globals';
import { IsInt } from 'class-validator';
import { z } from 'zod';
import {
  PayloadQueue,
  readPayload,
  type PayloadRules,
  type ReadPayload,
} from '../../../../../../lib/server/extensions/events/feeds/read-payload.js';
import { compileSchema } from '../../../../../../lib/server/schema/compile-schema.js';
import { until } from '../../../../../support/until.js';

class Ticket {
  @IsInt()
  id!: number;
}

const AMPLE = { maxCharacters: 1000 };
const ZOD: PayloadRules = { ...AMPLE, schema: compileSchema(z.object({ id: z.number() }), 'output') };
const DTO: PayloadRules = { ...AMPLE, schema: compileSchema(Ticket, 'output') };

/** Nests objects, so many levels of them. */
function nest(levels: number): object {
  return levels === 1 ? {} : { a: nest(levels - 1) };
}

describe('A payload', () => {
  it('is a copy as JSON has it, which the application cannot change any more (EVT-01)', () => {
    const ticket = { id: 1, at: new Date(0), tags: ['a'], none: undefined };
    const read = readPayload(ticket, AMPLE);
    ticket.tags.push('b');
    const data = { id: 1, at: '1970-01-01T00:00:00.000Z', tags: ['a'] };
    expect(read).toEqual({ data, characters: JSON.stringify(data).length });
  });

  it.each([
    ['a text', 'text', 'is not an object'],
    ['a list', [{ id: 1 }], 'is not an object'],
    ['nothing', undefined, 'is not an object'],
    ['null', null, 'is not an object'],
    ['a number without end', { id: 1n }, 'cannot be read'],
    [
      'something that throws',
      {
        toJSON: () => {
          throw new Error('no');
        },
      },
      'cannot be read: no',
    ],
    [
      'something that throws what is no error',
      {
        toJSON: () => {
          throw Object.create(null);
        },
      },
      'cannot be read: the thrown value cannot be shown',
    ],
    ['nested more deeply than messages may be', nest(101), 'is nested more than 100 levels deep'],
  ])('is left out where it is %s (EVT-01)', (_case, value, fault) => {
    expect(readPayload(value, AMPLE)).toEqual({ problem: expect.stringContaining(fault) });
  });

  it('is left out where it is longer than may be sent, and one that is as long is not (EVT-01)', () => {
    const id = 'x'.repeat(1000 - '{"id":""}'.length);
    expect(readPayload({ id }, AMPLE)).toEqual({ data: { id }, characters: 1000 });
    const fault = 'the payload has 1001 characters, expected at most 1000';
    expect(readPayload({ id: `${id}x` }, AMPLE)).toEqual({ problem: fault, isTooLong: true });
  });

  it('may have a hundred levels (EVT-01) (SAFE-01)', () => {
    expect(readPayload(nest(100), AMPLE)).toHaveProperty('data');
  });

  it('must fit its schema, and is what the schema makes of it (EVT-01)', () => {
    expect(readPayload({ id: 1, secret: 'x' }, ZOD)).toMatchObject({ data: { id: 1 } });
    expect(readPayload({ id: 'x' }, ZOD)).toEqual({ problem: expect.stringContaining('id: ') });
  });

  it('is read at once, but where the schema takes its time (EVT-01)', async () => {
    expect(readPayload({ id: 1 }, ZOD)).not.toBeInstanceOf(Promise);
    const read = readPayload({ id: 1 }, DTO);
    expect(read).toBeInstanceOf(Promise);
    expect(await read).toMatchObject({ data: { id: 1 } });
  });
});

describe('PayloadQueue', () => {
  it('keeps the order of payloads whatever each of them takes (EVT-01)', async () => {
    const taken: ReadPayload[] = [];
    let answer = (): void => undefined;
    const schema = compileSchema({ type: 'object' }, 'output');
    const slow = new Promise<void>((resolve) => (answer = resolve));
    const validate: typeof schema.validate = (value) =>
      (value as { slow?: true }).slow ? slow.then(() => ({ valid: true, value })) : { valid: true, value };
    const queue = new PayloadQueue({ ...AMPLE, schema: { ...schema, validate } }, (read) => taken.push(read));
    const ends: number[] = [];
    queue.add({ id: 1 });
    queue.add({ id: 2, slow: true });
    queue.add({ id: 3 });
    queue.finish(() => ends.push(taken.length));
    expect(taken).toHaveLength(1);
    answer();
    await until(() => ends.length > 0, 'the end of the queue');
    expect(taken).toMatchObject([{ data: { id: 1 } }, { data: { id: 2 } }, { data: { id: 3 } }]);
    expect(ends).toEqual([3]);
  });

  it('lets a thousand wait, and leaves out what comes besides (EVT-01)', async () => {
    const taken: ReadPayload[] = [];
    const queue = new PayloadQueue(DTO, (read) => taken.push(read));
    for (let id = 0; id < 1001; id += 1) queue.add({ id });
    expect(taken).toEqual([{ problem: expect.stringContaining('1000 payloads are already waiting') }]);
    await until(() => taken.length === 1001, 'all payloads');
    queue.add({ id: 1 });
    await until(() => taken.length === 1002, 'one payload more');
    expect(taken.at(-1)).toMatchObject({ data: { id: 1 } });
  });
});
