var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import { Transform, Type } from 'class-transformer';
import { IsArray, IsEmail, IsEnum, IsInt, IsNotEmptyObject, IsOptional, IsString, Length, Max, Min, ValidateNested, } from 'class-validator';
import 'reflect-metadata';
import * as v from 'valibot';
import * as z from 'zod';
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
    label: v.optional(v.pipe(v.string(), v.transform((label) => label.toUpperCase()))),
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
var Kind;
(function (Kind) {
    Kind["Bug"] = "bug";
    Kind["Idea"] = "idea";
})(Kind || (Kind = {}));
class Reporter {
}
__decorate([
    IsEmail(),
    __metadata("design:type", String)
], Reporter.prototype, "email", void 0);
__decorate([
    IsOptional(),
    IsArray(),
    IsString({ each: true }),
    __metadata("design:type", Array)
], Reporter.prototype, "phones", void 0);
class TicketDto {
    constructor() {
        this.kind = Kind.Bug;
    }
}
__decorate([
    IsString(),
    Length(1, 80),
    __metadata("design:type", String)
], TicketDto.prototype, "title", void 0);
__decorate([
    IsEnum(Kind),
    __metadata("design:type", String)
], TicketDto.prototype, "kind", void 0);
__decorate([
    IsOptional(),
    Min(1),
    Max(5),
    IsInt(),
    __metadata("design:type", Number)
], TicketDto.prototype, "priority", void 0);
__decorate([
    IsOptional(),
    Transform(({ value }) => (typeof value === 'string' ? value.toUpperCase() : value)),
    IsString(),
    __metadata("design:type", String)
], TicketDto.prototype, "label", void 0);
__decorate([
    IsNotEmptyObject(),
    ValidateNested(),
    Type(() => Reporter),
    __metadata("design:type", Reporter)
], TicketDto.prototype, "reporter", void 0);
export const TICKET_SOURCES = [
    { name: 'zod', source: zodTicket, transforms: true, listsDefaults: true },
    { name: 'valibot', source: toStandardJsonSchema(valibotTicket), transforms: true, listsDefaults: true },
    { name: 'arktype', source: arktypeTicket, transforms: true, listsDefaults: false },
    { name: 'JSON Schema', source: jsonTicket, transforms: false, listsDefaults: true },
    { name: 'a DTO class', source: TicketDto, transforms: true, listsDefaults: true },
];
