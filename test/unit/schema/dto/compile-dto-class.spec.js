var __decorate = (this && this.__decorate) || function (decorators, target, key, desc) {
    var c = arguments.length, r = c < 3 ? target : desc === null ? desc = Object.getOwnPropertyDescriptor(target, key) : desc, d;
    if (typeof Reflect === "object" && typeof Reflect.decorate === "function") r = Reflect.decorate(decorators, target, key, desc);
    else for (var i = decorators.length - 1; i >= 0; i--) if (d = decorators[i]) r = (c < 3 ? d(r) : c > 3 ? d(target, key, r) : d(target, key)) || r;
    return c > 3 && r && Object.defineProperty(target, key, r), r;
};
var __metadata = (this && this.__metadata) || function (k, v) {
    if (typeof Reflect === "object" && typeof Reflect.metadata === "function") return Reflect.metadata(k, v);
};
import { describe, expect, it } from '@jest/globals';
import { Type } from 'class-transformer';
import { Allow, ArrayMinSize, IsArray, IsBoolean, IsInt, IsNotIn, IsOptional, IsString, MaxLength, Validate, ValidateIf, ValidateNested, ValidatorConstraint, } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import 'reflect-metadata';
import { compileSchema } from '../../../../lib/schema/compile-schema.js';
import { SchemaError } from '../../../../lib/schema/schema.error.js';
import { issuesOf, valueOf } from '../issues-of.js';
import { findSchemaFaults } from '../json-schema-oracle.js';
class Item {
}
__decorate([
    IsString(),
    __metadata("design:type", String)
], Item.prototype, "name", void 0);
__decorate([
    IsOptional(),
    ValidateNested({ each: true }),
    Type(() => Item),
    __metadata("design:type", Array)
], Item.prototype, "parts", void 0);
class Named {
}
__decorate([
    IsString(),
    MaxLength(10),
    __metadata("design:type", String)
], Named.prototype, "name", void 0);
let Order = class Order extends Named {
    constructor() {
        super(...arguments);
        this.count = 1;
        this.helper = 'not decorated';
    }
};
__decorate([
    JSONSchema({ description: 'How often', examples: [2] }),
    IsInt(),
    __metadata("design:type", Object)
], Order.prototype, "count", void 0);
__decorate([
    IsOptional(),
    IsBoolean(),
    __metadata("design:type", Boolean)
], Order.prototype, "isUrgent", void 0);
__decorate([
    ValidateNested(),
    Type(() => Item),
    __metadata("design:type", Item)
], Order.prototype, "main", void 0);
__decorate([
    IsArray(),
    ArrayMinSize(1),
    ValidateNested({ each: true }),
    Type(() => Item),
    __metadata("design:type", Array)
], Order.prototype, "items", void 0);
__decorate([
    ValidateIf((order) => order.isUrgent === true),
    IsString(),
    __metadata("design:type", String)
], Order.prototype, "reason", void 0);
__decorate([
    Allow(),
    __metadata("design:type", Object)
], Order.prototype, "note", void 0);
__decorate([
    IsNotIn(['never']),
    __metadata("design:type", String)
], Order.prototype, "when", void 0);
Order = __decorate([
    JSONSchema({ description: 'What to order' })
], Order);
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
    it('makes instances, nested ones included (MOD-07)', async () => {
        const order = (await valueOf(schema, ORDER));
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
        const createClass = (decorate) => {
            class Same {
            }
            decorate(Same.prototype, 'a');
            return Same;
        };
        const [First, Second] = [createClass(IsString()), createClass(IsInt())];
        class Both {
        }
        __decorate([
            ValidateNested(),
            Type(() => First),
            __metadata("design:type", Object)
        ], Both.prototype, "first", void 0);
        __decorate([
            ValidateNested(),
            Type(() => Second),
            __metadata("design:type", Object)
        ], Both.prototype, "second", void 0);
        expect(compileSchema(Both, 'input').jsonSchema['$defs']).toMatchObject({
            Same: { properties: { a: { type: 'string' } } },
            Same2: { properties: { a: { type: 'integer' } } },
        });
    });
    it('waits for asynchronous validators (MOD-07)', async () => {
        let IsKnown = class IsKnown {
            async validate(name) {
                return name === 'ann';
            }
            defaultMessage() {
                return 'is not a known user';
            }
        };
        IsKnown = __decorate([
            ValidatorConstraint({ async: true })
        ], IsKnown);
        class User {
        }
        __decorate([
            Validate(IsKnown),
            __metadata("design:type", String)
        ], User.prototype, "name", void 0);
        const user = compileSchema(User, 'input');
        expect(user.jsonSchema).toMatchObject({ properties: { name: { type: 'string' } }, required: ['name'] });
        expect(await valueOf(user, { name: 'ann' })).toEqual({ name: 'ann' });
        expect(await issuesOf(user, { name: 'bob' })).toBe('name: is not a known user, received string "bob"');
    });
    it('takes the keywords that a function of @JSONSchema() gives (MOD-07)', () => {
        class Decorated {
        }
        __decorate([
            JSONSchema((source) => ({ ...source, title: 'A' })),
            IsString(),
            __metadata("design:type", String)
        ], Decorated.prototype, "a", void 0);
        expect(compileSchema(Decorated, 'input').jsonSchema).toMatchObject({
            properties: { a: { type: 'string', title: 'A' } },
        });
    });
    it.each([
        ['without a decorator', class Bare {
            }, 'is the class "Bare" without any class-validator decorator'],
        [
            'that needs constructor arguments',
            class Needy {
                constructor(given) {
                    void given.length;
                }
            },
            'is the DTO class "Needy", which cannot be made by "new Needy()"',
        ],
    ])('is refused at once %s (MOD-07)', (_, source, message) => {
        expect(() => compileSchema(source, 'input')).toThrow(SchemaError);
        expect(() => compileSchema(source, 'input')).toThrow(message);
    });
    it('is refused at once with a nested member of unknown class (MOD-07)', () => {
        class Untyped {
        }
        __decorate([
            ValidateNested(),
            __metadata("design:type", Item)
        ], Untyped.prototype, "item", void 0);
        expect(() => compileSchema(Untyped, 'input')).toThrow('whose property "item" has @ValidateNested() alone');
    });
});
