import { describe, expect, it } from '@jest/globals';
import { Exclude, Expose, Transform, Type } from 'class-transformer';
import { IsDate, IsIn, IsOptional, IsString, ValidateNested } from 'class-validator';
import 'reflect-metadata';
import { compileSchema } from '../../../../../lib/server/schema/compile-schema.js';
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
      since: { type: 'string', format: 'date-time' },
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

describe('A result that is an instance of its DTO class', () => {
  class Owner {
    @IsString()
    name!: string;

    @Exclude()
    @IsString()
    password!: string;
  }

  class Ticket {
    @Expose({ name: 'full_title' })
    @IsString()
    fullTitle!: string;

    @Exclude()
    @IsOptional()
    @IsString()
    secret?: string;

    @Exclude()
    hash?: string;

    @IsOptional()
    @ValidateNested({ each: true })
    @Type(() => Owner)
    owners?: Owner[];
  }

  class Page {
    @ValidateNested({ each: true })
    @Type(() => Ticket)
    tickets!: Ticket[];
  }

  const schema = compileSchema(Ticket, 'output');
  const owner = Object.assign(new Owner(), { name: 'Ann', password: 'x' });
  const ticket = Object.assign(new Ticket(), { fullTitle: 'Fire', secret: 's', hash: 'h' });

  it('goes by its exposed names, without what is excluded (MOD-08)', async () => {
    expect(await valueOf(schema, ticket)).toStrictEqual({ full_title: 'Fire' });
    expect(ticket).toEqual({ fullTitle: 'Fire', secret: 's', hash: 'h' });
  });

  it('is not checked for what is excluded (MOD-08)', async () => {
    const result = Object.assign(new Ticket(), { fullTitle: 'Fire', secret: 5, owners: [owner] });
    expect(await valueOf(schema, result)).toStrictEqual({ full_title: 'Fire', owners: [{ name: 'Ann' }] });
    const wrong = Object.assign(new Ticket(), { fullTitle: 5, secret: 5, owners: [new Owner()] });
    const issues = await issuesOf(schema, wrong);
    expect(issues).toMatch(/^fullTitle: must be a string, received number 5\nowners.0.name: is required/);
    expect(issues).not.toMatch(/secret|password/);
  });

  it('may hold plain objects (MOD-08)', async () => {
    const hold = (held: object) => Object.assign(new Ticket(), { fullTitle: 'Fire', owners: [held] });
    expect(await valueOf(schema, hold({ name: 'Ann' }))).toMatchObject({ owners: [{ name: 'Ann' }] });
    expect(await issuesOf(schema, hold({ name: 5 }))).toMatch(/^owners.0.name: must be a string/);
    expect(await issuesOf(schema, hold({ name: 'Ann', extra: 1 }))).toMatch(/^owners.0.extra: /);
  });

  it('may be held by a plain object (MOD-08)', async () => {
    const page = compileSchema(Page, 'output');
    const owned = Object.assign(new Ticket(), ticket, { owners: [owner] });
    expect(await valueOf(page, { tickets: [owned] })).toStrictEqual({
      tickets: [{ full_title: 'Fire', owners: [{ name: 'Ann' }] }],
    });
    expect(await valueOf(page, { tickets: [ticket] })).toStrictEqual({ tickets: [{ full_title: 'Fire' }] });
  });

  it('is refused with a name that the schema does not list (MOD-08)', async () => {
    const result = Object.assign(new Ticket(), { fullTitle: 'Fire', salary: 5 });
    expect(await issuesOf(schema, result)).toMatch(/^salary: /);
  });

  it('may have undefined members of any name, which JSON leaves out (MOD-08)', async () => {
    const result = { full_title: 'Fire', rest: undefined };
    expect(JSON.stringify(await valueOf(schema, result))).toBe('{"full_title":"Fire"}');
    const instance = Object.assign(new Ticket(), { fullTitle: 'Fire', rest: undefined });
    expect(JSON.stringify(await valueOf(schema, instance))).toBe('{"full_title":"Fire"}');
  });
});
