import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { Transform, Type } from 'class-transformer';
import {
  IsArray,
  IsEmail,
  IsEnum,
  IsInt,
  IsNotEmptyObject,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import 'reflect-metadata';
import * as v from 'valibot';
import * as z from 'zod';
import type { SchemaSource } from '../../../../lib/server/schema/compiled-schema.interface.js';

/** The same schema in every language: what a caller says to open a ticket. */
const zodTicket = z.strictObject({
  title: z.string().min(1).max(80),
  kind: z.enum(['bug', 'idea']).default('bug'),
  priority: z.int().min(1).max(5).optional(),
  label: z
    .string()
    .transform((label) => label.toUpperCase())
    .optional(),
  reporter: z.strictObject({ email: z.email(), phones: z.array(z.string()).optional() }),
});

const valibotTicket = v.strictObject({
  title: v.pipe(v.string(), v.minLength(1), v.maxLength(80)),
  kind: v.optional(v.picklist(['bug', 'idea']), 'bug'),
  priority: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5))),
  label: v.optional(
    v.pipe(
      v.string(),
      v.transform((label) => label.toUpperCase()),
    ),
  ),
  reporter: v.strictObject({
    email: v.pipe(v.string(), v.email()),
    phones: v.optional(v.array(v.string())),
  }),
});

const arktypeTicket = type({
  '+': 'reject',
  title: '1 <= string <= 80',
  kind: '"bug" | "idea" = "bug"',
  'priority?': '1 <= number.integer <= 5',
  'label?': type('string').pipe((label) => label.toUpperCase()),
  reporter: { '+': 'reject', email: 'string.email', 'phones?': 'string[]' },
});

const jsonTicket = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  properties: {
    title: { type: 'string', minLength: 1, maxLength: 80 },
    kind: { enum: ['bug', 'idea'], default: 'bug' },
    priority: { type: 'integer', minimum: 1, maximum: 5 },
    label: { type: 'string' },
    reporter: { $ref: '#/$defs/Reporter' },
  },
  required: ['title', 'reporter'],
  additionalProperties: false,
  $defs: {
    Reporter: {
      type: 'object',
      properties: {
        email: { type: 'string', format: 'email' },
        phones: { type: 'array', items: { type: 'string' } },
      },
      required: ['email'],
      additionalProperties: false,
    },
  },
};

enum Kind {
  Bug = 'bug',
  Idea = 'idea',
}

class Reporter {
  @IsEmail()
  email!: string;

  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  phones?: string[];
}

class TicketDto {
  @IsString()
  @Length(1, 80)
  title!: string;

  @IsEnum(Kind)
  kind: Kind = Kind.Bug;

  @IsOptional()
  @Min(1)
  @Max(5)
  @IsInt()
  priority?: number;

  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toUpperCase() : value))
  @IsString()
  label?: string;

  @IsNotEmptyObject()
  @ValidateNested()
  @Type(() => Reporter)
  reporter!: Reporter;
}

export interface TicketSource {
  readonly name: string;
  readonly source: SchemaSource;
  /** Whether the language can turn a value into another. */
  readonly transforms: boolean;
  /** Whether the language tells its defaults in JSON Schema. */
  readonly listsDefaults: boolean;
}

export const TICKET_SOURCES: readonly TicketSource[] = [
  { name: 'zod', source: zodTicket, transforms: true, listsDefaults: true },
  { name: 'valibot', source: toStandardJsonSchema(valibotTicket), transforms: true, listsDefaults: true },
  { name: 'arktype', source: arktypeTicket, transforms: true, listsDefaults: false },
  { name: 'JSON Schema', source: jsonTicket, transforms: false, listsDefaults: true },
  { name: 'a DTO class', source: TicketDto, transforms: true, listsDefaults: true },
];
