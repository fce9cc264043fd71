import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { serializeInstances } from '../../../../../lib/server/schema/dto/serialize-instances.js';

class Plain {
  id = 1;
}

class Renamed {
  @Expose({ name: 'identifier' })
  id = 1;

  @Exclude({ toClassOnly: true })
  createdAt = 'today';

  @Transform(({ value }) => `${String(value)}!`)
  name = 'Ada';
}

class Secretive {
  id = 1;

  @Exclude()
  secret = 'hidden';
}

class Inheriting extends Secretive {
  name = 'Ada';
}

@Exclude()
class Closed {
  @Expose()
  id = 1;

  secret = 'hidden';
}

class Grouped {
  id = 1;

  @Expose({ groups: ['admin'] })
  secret = 'hidden';
}

class Masked {
  @Transform(() => '****', { toPlainOnly: true })
  secret = 'hidden';
}

class Both {
  id = 1;

  @Exclude({ toClassOnly: true, toPlainOnly: true })
  secret = 'hidden';
}

/** Hides nothing itself, but what it says of a member does. */
class Typed {
  id = 1;

  @Type(() => Secretive)
  column = { id: 2, secret: 'hidden' };
}

class Circle {
  id = 1;

  @Type(() => Circle)
  next?: object;

  @Exclude()
  secret = 'hidden';
}

class WithJson extends Secretive {
  note = 'not shown';

  toJSON() {
    return { id: this.id, secret: this.secret, list: [{ id: 1 }, 'text'], title: 'Draft' };
  }
}

class List {
  readonly items = [new Secretive()];

  *[Symbol.iterator]() {
    yield* this.items;
  }

  toJSON() {
    return this.items;
  }
}

class Holder {
  constructor(readonly held: unknown) {}

  toJSON() {
    return { held: this.held };
  }
}

describe('serializeInstances()', () => {
  it.each<[string, object, object]>([
    ['@Exclude()', new Secretive(), { id: 1 }],
    ['a class that it extends', new Inheriting(), { id: 1, name: 'Ada' }],
    ['@Exclude() of its class', new Closed(), { id: 1 }],
    ['@Expose() for groups', new Grouped(), { id: 1 }],
    ['@Transform()', new Masked(), { secret: '****' }],
    ['@Exclude() for both directions alone', new Both(), { id: 1 }],
    ['@Type() of a member', new Typed(), { id: 1, column: { id: 2 } }],
    ['its own JSON, and @Exclude()', new WithJson(), { id: 1 }],
  ])('leaves out what a class hides by %s (APP-01)', (_what, value, shown) => {
    expect(serializeInstances(value)).toEqual(shown);
    expect(serializeInstances({ deep: [{ value }] })).toEqual({ deep: [{ value: shown }] });
    expect(serializeInstances(new Holder(value))).toEqual({ held: shown });
    expect(JSON.stringify(serializeInstances([value, value]))).not.toContain('hidden');
  });

  it('has an object with its own JSON make that once (NOTE-09) (APP-01)', () => {
    const made: string[] = [];
    const value = { toJSON: () => ({ number: made.push('JSON') }) };
    expect(JSON.stringify(serializeInstances({ value }))).toBe('{"value":{"number":1}}');
    expect(made).toHaveLength(1);
  });

  it.each<[string, unknown]>([
    ['a text', 'hidden'],
    ['nothing', undefined],
    ['a plain object', { secret: 'shown', at: new Date(0), bytes: new Uint8Array(2) }],
    ['an object without a prototype', Object.assign(Object.create(null) as object, { id: 1 })],
    ['an instance of a class that hides nothing', new Plain()],
    ['an instance whose class only renames, or reads input otherwise', new Renamed()],
    ['an object whose own JSON is a text', new URL('https://example.com/')],
    ['a stream', (async function* () {})()],
    ['a map', new Map([['a', new Secretive()]])],
  ])('leaves %s as it is (APP-01)', (_what, value) => {
    expect(serializeInstances(value)).toBe(value);
    const around = { value };
    expect(serializeInstances(around)).toBe(around);
  });

  it('reads what is iterable by its JSON (APP-01)', () => {
    expect(serializeInstances({ list: new List() })).toEqual({ list: [{ id: 1 }] });
  });

  it('ends with what is part of itself, and leaves it to JSON (APP-01)', () => {
    const circle = new Circle();
    circle.next = circle;
    expect(serializeInstances(circle)).toEqual({ id: 1 });
    const around: { held?: object; secretive: object } = { secretive: new Secretive() };
    around.held = around;
    expect(() => JSON.stringify(serializeInstances(around))).toThrow(TypeError);
  });

  it('visits a part of many once (APP-01)', () => {
    let part: unknown = new Secretive();
    for (let level = 0; level < 40; level += 1) part = [part, part];
    expect(JSON.stringify(unfold(serializeInstances(part)))).toBe('{"id":1}');
  });

  it('knows classes that are decorated later (APP-01)', () => {
    serializeInstances(new Secretive());
    class Late {
      id = 1;
      secret = 'hidden';
    }
    Exclude()(Late.prototype, 'secret');
    expect(serializeInstances(new Late())).toEqual({ id: 1 });
  });
});

function unfold(value: unknown): unknown {
  return Array.isArray(value) ? unfold(value[0]) : value;
}
