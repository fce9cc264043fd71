import { describe, expect, it } from '@jest/globals';
import { Type } from 'class-transformer';
import {
  Allow,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsInt,
  IsNotIn,
  IsOptional,
  IsString,
  MaxLength,
  Validate,
  ValidateIf,
  ValidateNested,
  ValidatorConstraint,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import 'reflect-metadata';
import { compileSchema } from '../../../../../lib/server/schema/compile-schema.js';
import { SchemaError } from '../../../../../lib/server/schema/schema.error.js';
import { issuesOf, valueOf } from '../issues-of.js';
import { findSchemaFaults } from '../json-schema-oracle.js';

class Item {
  @IsString()
  name!: string;

  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => Item)
  parts?: Item[];
}

class Named {
  @IsString()
  @MaxLength(10)
  name!: string;
}

@JSONSchema({ description: 'What to order' })
class Order extends Named {
  @JSONSchema({ description: 'How often', examples: [2] })
  @IsInt()
  count = 1;

  @IsOptional()
  @IsBoolean()
  isUrgent?: boolean;

  @ValidateNested()
  @Type(() => Item)
  main!: Item;

  @IsArray()
  @ArrayMinSize(1)
  @ValidateNested({ each: true })
  @Type(() => Item)
  items!: Item[];

  @ValidateIf((order: Order) => order.isUrgent === true)
  @IsString()
  reason?: string;

  @Allow()
  note?: unknown;

  @IsNotIn(['never'])
  when?: string;

  helper = 'not decorated';
}

const ORDER = { name: 'x', main: { name: 'a' }, items: [{ name: 'b', parts: [{ name: 'c' }] }] };

describe('A DTO class', () => {
  const schema = compileSchema(Order, 'input');

  it('is listed with inherited, nested and optional members (MOD-07)', () => {
    expect(findSchemaFaults(schema.jsonSchema)).toBe('');
    expect(schema.jsonSchema).toEqual({
      type: 'object',
      description: 'What to order',
      properties: {
        count: { type: 'integer', description: 'How often', examples: [2], default: 1 },
        isUrgent: { type: 'boolean' },
        main: { $ref: '#/$defs/Item' },
        items: { type: 'array', minItems: 1, items: { $ref: '#/$defs/Item' } },
        reason: { type: 'string' },
        note: {},
        when: { type: 'string', not: { enum: ['never'] } },
        name: { type: 'string', maxLength: 10 },
      },
      required: ['items', 'name'],
      additionalProperties: false,
      $defs: {
        Item: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            parts: { type: 'array', items: { $ref: '#/$defs/Item' } },
          },
          required: ['name'],
          additionalProperties: false,
        },
      },
    });
  });

  it('is listed with what it initializes as required in a result (MOD-08)', () => {
    const { required, properties } = compileSchema(Order, 'output').jsonSchema;
    expect(required).toEqual(['count', 'items', 'name']);
    expect((properties as Record<string, object>)['count']).not.toHaveProperty('default');
  });

  it('does not require what is checked on a condition (MOD-07)', async () => {
    class Conditional {
      @IsString({ validateIf: (_, value) => value !== undefined })
      a?: string;
    }
    const conditional = compileSchema(Conditional, 'input');
    expect(conditional.jsonSchema).not.toHaveProperty('required');
    expect(await valueOf(conditional, {})).toEqual({});
  });

  it('reports an unknown name once (MOD-07)', async () => {
    expect(await issuesOf(schema, { ...ORDER, main: { name: 'a', zebra: 1 } })).toBe(
      'main.zebra: is not a known name, expected one of "name", "parts"',
    );
  });

  it('makes instances, nested ones included (MOD-07)', async () => {
    const order = (await valueOf(schema, ORDER)) as Order;
    expect(order).toBeInstanceOf(Order);
    expect(order.main).toBeInstanceOf(Item);
    expect(order.items[0]?.parts?.[0]).toBeInstanceOf(Item);
    expect(order.count).toBe(1);
  });

  it.each([
    [
      'a nested wrong member',
      { ...ORDER, main: { name: 5 } },
      'main.name: must be a string, received number 5',
    ],
    [
      'a wrong member of a nested item',
      { ...ORDER, items: [{ name: 'b', parts: [{}] }] },
      'items.0.parts.0.name: is required but missing: must be a string',
    ],
    ['an unknown nested name', { ...ORDER, main: { name: 'a', nmae: 1 } }, 'did you mean "name"?'],
    [
      'an array for an object',
      { ...ORDER, main: [{ name: 'a' }] },
      'main: expected object, received array of 1 item',
    ],
    ['an item for an array', { ...ORDER, items: { name: 'a' } }, 'items: expected array, received object'],
    [
      'arrays in an array',
      { ...ORDER, items: [[{ name: 'a' }]] },
      'items.0: expected object, received array of 1 item',
    ],
    ['null for an object', { ...ORDER, main: null }, 'main: '],
    ['a member that is not decorated', { ...ORDER, helper: 'x' }, 'helper: is not a known name'],
    [
      'a condition that holds',
      { ...ORDER, isUrgent: true },
      'reason: is required but missing: must be a string',
    ],
  ])('refuses %s (MOD-07)', async (_, value, text) => {
    expect(await issuesOf(schema, value)).toContain(text);
  });

  it('reports no more than a hundred issues of each kind (MOD-07)', async () => {
    const items = Array.from({ length: 1_000 }, () => ({ name: 5, unknown: 1 }));
    const outcome = await schema.validate({ ...ORDER, items });
    expect(outcome.valid ? 0 : outcome.issues.length).toBeLessThanOrEqual(200);
  });

  it('is listed by itself where it holds itself (MOD-07)', () => {
    expect(compileSchema(Item, 'input').jsonSchema).toMatchObject({
      properties: { parts: { items: { $ref: '#' } } },
    });
  });

  it('keeps classes of the same name apart (MOD-07)', () => {
    const createClass = (decorate: PropertyDecorator) => {
      class Same {
        a!: unknown;
      }
      decorate(Same.prototype, 'a');
      ValidateNested()(Same.prototype, 'same');
      Type(() => Same)(Same.prototype, 'same');
      return Same;
    };
    const [First, Second] = [createClass(IsString()), createClass(IsInt())];
    class Both {
      @ValidateNested()
      @Type(() => First)
      first!: object;

      @ValidateNested()
      @Type(() => Second)
      second!: object;
    }
    expect(compileSchema(Both, 'input').jsonSchema['$defs']).toMatchObject({
      Same: { properties: { a: { type: 'string' } } },
      Same2: { properties: { a: { type: 'integer' } } },
    });
  });

  it('waits for asynchronous validators (MOD-07)', async () => {
    @ValidatorConstraint({ async: true })
    class IsKnown implements ValidatorConstraintInterface {
      async validate(name: unknown): Promise<boolean> {
        return name === 'ann';
      }
      defaultMessage(): string {
        return 'is not a known user';
      }
    }
    class User {
      @Validate(IsKnown)
      name!: string;
    }
    const user = compileSchema(User, 'input');
    expect(user.jsonSchema).toMatchObject({ properties: { name: { type: 'string' } }, required: ['name'] });
    expect(await valueOf(user, { name: 'ann' })).toEqual({ name: 'ann' });
    expect(await issuesOf(user, { name: 'bob' })).toBe('name: is not a known user, received string "bob"');
  });

  it('takes the keywords that a function of @JSONSchema() gives (MOD-07)', () => {
    class Decorated {
      @JSONSchema((source) => ({ ...source, title: 'A' }))
      @IsString()
      a!: string;
    }
    expect(compileSchema(Decorated, 'input').jsonSchema).toMatchObject({
      properties: { a: { type: 'string', title: 'A' } },
    });
  });

  it.each([
    ['without a decorator', class Bare {}, 'is the class "Bare", which has no class-validator decorators'],
    [
      'that needs constructor arguments',
      class Needy {
        constructor(given: { length: number }) {
          void given.length;
        }
      },
      'is the DTO class "Needy", which cannot be instantiated with "new Needy()"',
    ],
  ])('is refused at once %s (MOD-07)', (_, source, message) => {
    expect(() => compileSchema(source as never, 'input')).toThrow(SchemaError);
    expect(() => compileSchema(source as never, 'input')).toThrow(message);
  });

  it('is refused at once with a nested member of unknown class (MOD-07)', () => {
    class Untyped {
      @ValidateNested()
      item!: Item;
    }
    expect(() => compileSchema(Untyped, 'input')).toThrow(
      'whose property "item" has @ValidateNested() without a type',
    );
  });
});
