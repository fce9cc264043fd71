import { describe, expect, it } from '@jest/globals';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsDate, IsIn, IsOptional, IsString, ValidateNested } from 'class-validator';
import 'reflect-metadata';
import { compileSchema } from '../../../../lib/schema/compile-schema.js';
import { issuesOf, valueOf } from '../issues-of.js';

describe('A DTO class with class-transformer decorators', () => {
  class Account {
    @Expose({ name: 'full_name' })
    @IsString()
    fullName!: string;

    @Exclude({ toPlainOnly: true })
    @IsOptional()
    @IsString()
    password?: string;

    @Exclude()
    @IsOptional()
    @IsString()
    internal?: string;

    @Type(() => Date)
    @IsDate()
    since!: Date;

    @Transform(({ value }: { value: string }) => value.trim())
    @IsIn(['free', 'paid'])
    plan!: string;
  }
  const GIVEN = { full_name: 'Ann', password: 'x', since: '2026-01-02T00:00:00.000Z', plan: ' paid ' };

  it('lists exposed names and leaves out what is excluded (MOD-07)', () => {
    const { properties, required } = compileSchema(Account, 'input').jsonSchema;
    expect(properties).toEqual({
      full_name: { type: 'string' },
      password: { type: 'string' },
      since: { type: 'string', anyOf: [{ format: 'date' }, { format: 'date-time' }] },
      plan: { type: 'string', enum: ['free', 'paid'] },
    });
    expect(required).toEqual(['full_name', 'since', 'plan']);
  });

  it('gives the handler what transforms make of the arguments (MOD-07)', async () => {
    const account = (await valueOf(compileSchema(Account, 'input'), GIVEN)) as Account;
    expect(account).toMatchObject({
      fullName: 'Ann',
      password: 'x',
      plan: 'paid',
      since: new Date(GIVEN.since),
    });
  });

  it('gives the client the plain object of a result, without what is excluded (MOD-08)', async () => {
    const schema = compileSchema(Account, 'output');
    expect(Object.keys(schema.jsonSchema['properties'] as object)).toEqual(['full_name', 'since', 'plan']);
    const result = { full_name: 'Ann', since: new Date(0), plan: 'free' };
    const value = await valueOf(schema, result);
    expect(JSON.parse(JSON.stringify(value))).toEqual({
      full_name: 'Ann',
      since: '1970-01-01T00:00:00.000Z',
      plan: 'free',
    });
  });

  it('names a discriminator and its values (MOD-07)', async () => {
    class Pet {
      @IsString()
      name!: string;
    }
    class Cat extends Pet {}
    class Pets {
      @ValidateNested()
      @Type(() => Pet, { discriminator: { property: 'kind', subTypes: [{ name: 'cat', value: Cat }] } })
      pet!: Pet;
    }
    const pets = compileSchema(Pets, 'input');
    expect(pets.jsonSchema).toMatchObject({
      properties: { pet: { type: 'object', properties: { kind: { enum: ['cat'] } }, required: ['kind'] } },
    });
    expect(await valueOf(pets, { pet: { kind: 'cat', name: 'x' } })).toMatchObject({ pet: new Cat() });
    expect(await issuesOf(pets, { pet: { kind: 'cat', name: 'x', extra: 1 } })).toContain('pet.extra: ');
  });

  it('keeps the initial value of an exposed member (MOD-07)', async () => {
    class Exposed {
      @Expose()
      @IsString()
      kind = 'bug';
    }
    expect(await valueOf(compileSchema(Exposed, 'input'), {})).toEqual({ kind: 'bug' });
  });
});
